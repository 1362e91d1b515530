import Care
public import JSON

/// What programs can ask over HTTP, described for them: made from the routes and the rules, and nowhere else written.
///
/// - Source: OpenAPI 3.1.
public enum InterfaceDocument {
  /// Where the paths begin, one word each.
  public static let root = ["api", "v1"]
  /// Where the document itself is found, below ``root``.
  public static let name = "openapi.json"

  /// The path of a question or a command: its dots are slashes.
  public static func path(of name: String) -> String {
    (["", root.joined(separator: "/")] + name.split(separator: ".").map(String.init))
      .joined(separator: "/")
  }

  /// The questions that are answered: those that a plugin can put for somebody. The keys of browsers are no account's.
  public static let routes = Route.all.filter { $0.isForPlugins && !$0.needs.contains(.push) }

  /// The document.
  public static func made() -> JSONValue {
    let commands = CommandRule.ofPeople
    let paths =
      routes.map { JSONMember(key: path(of: $0.name), value: ["get": operation(of: $0)]) }
      + Route.brought.map { JSONMember(key: path(of: $0.name), value: ["post": bringing($0)]) }
      + commands.map { JSONMember(key: path(of: $0.action), value: ["post": operation(of: $0)]) }
    let shapes = (routes + Route.brought).flatMap { [$0.gives] + $0.parameters.map(\.shape) }
    let requests = commands.flatMap { $0.takes.map(\.shape) }
    let schemas = JSONShape.definitions(of: shapes + requests + [problem])
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Homeward", "version": .string(Release.version),
        "summary": "What one who cares may see and do, as this gateway allows it.",
        "description": .string(introduction),
        "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": "/"]],
      "security": [["token": []], ["cookie": []]],
      "paths": .object(paths + [JSONMember(key: "/events", value: ["get": events])]),
      "components": [
        "securitySchemes": [
          "token": [
            "type": "http", "scheme": "bearer",
            "description": "A program's token, from `homeward accounts program`.",
          ],
          "cookie": [
            "type": "apiKey", "in": "cookie", "name": "__Host-homeward",
            "description": "A browser's session; `homeward` where nothing is encrypted.",
          ],
        ],
        "responses": responses,
        "schemas": .object(
          schemas.sorted { $0.key < $1.key }.map { JSONMember(key: $0.key, value: $0.value) }),
      ],
    ]
  }

  private static let introduction =
    """
    A question is asked with GET, its parameters as fields; a command is given with POST, its members as a JSON object. \
    Times are RFC 3339 in UTC. Who may see and do what decides the account whose token comes along. An error is a \
    Problem Details document (RFC 9457) with a word as `code`. A long list is answered in parts: where it goes on \
    stands in `Link`, with a `cursor` that is good for a week and for no other list. Objects may have members that stand nowhere here.
    """

  // MARK: Operations

  private static func operation(of route: Route) -> JSONValue {
    [
      "operationId": .string(identifier(of: route.name)), "tags": [.string(tag(of: route.name))],
      "summary": .string(route.name), "description": .string(need(of: route.needs)),
      "parameters": .array(
        route.parameters.map(parameter)
          + [
            [
              "name": "If-None-Match", "in": "header", "schema": ["type": "string"],
              "description": "The ETag of an answer that one has.",
            ]
          ]),
      "responses": .object(
        [
          JSONMember(
            key: "200",
            value: [
              "description": "The answer.",
              "headers": .object(
                [JSONMember(key: "ETag", value: ["schema": ["type": "string"]])]
                  + (route.isInParts ? [JSONMember(key: "Link", value: link)] : [])),
              "content": ["application/json": ["schema": route.gives.schema]],
            ]), JSONMember(key: "304", value: ["description": "It is as one has it."]),
        ] + refusals([400, 401, 403, 404, 409, 421, 422, 503])),
    ]
  }

  private static func bringing(_ route: Route) -> JSONValue {
    [
      "operationId": .string(identifier(of: route.name)), "tags": [.string(tag(of: route.name))],
      "summary": .string(route.name), "description": .string(need(of: route.needs)),
      "requestBody": [
        "required": true,
        "content": ["application/json": ["schema": JSONShape.object(route.parameters).schema]],
      ],
      "responses": .object(
        [
          JSONMember(
            key: "200",
            value: [
              "description": "The piece is there.",
              "content": ["application/json": ["schema": route.gives.schema]],
            ])
        ] + refusals([400, 401, 403, 404, 409, 413, 415, 421, 422, 503])),
    ]
  }

  /// - Source: RFC 8288.
  private static let link: JSONValue = [
    "schema": ["type": "string"],
    "description": "Where the list goes on, as `<…>; rel=\"next\"`; its end has none.",
  ]

  private static func parameter(_ parameter: Route.Parameter) -> JSONValue {
    let named: JSONValue = [
      "name": .string(parameter.name), "in": "query", "required": .bool(!parameter.isOptional),
    ]
    guard case .object = parameter.shape else {
      return named.setting("schema", to: parameter.shape.schema)
    }
    return named.setting(
      "content", to: ["application/json": ["schema": parameter.shape.schema]])
  }

  private static func operation(of rule: CommandRule) -> JSONValue {
    // Whether a command takes away what calls for help, its members decide.
    let takes = rule.takes + [JSONShape.Member("confirms", .flag).optional]
    let asked: JSONValue = [
      "operationId": .string(identifier(of: rule.action)), "tags": [.string(tag(of: rule.action))],
      "summary": .string(rule.action), "description": .string(need(of: [rule.needs])),
      "parameters": [
        [
          "name": "Idempotency-Key", "in": "header",
          "schema": ["type": "string", "minLength": 1, "maxLength": 100],
          "description": "What is sent twice under one key is done once.",
        ]
      ],
      "requestBody": [
        "required": true,
        "content": ["application/json": ["schema": JSONShape.object(takes).schema]],
      ],
      "responses": .object(
        [
          JSONMember(
            key: "200",
            value: [
              "description": "Done, and kept.",
              "content": ["application/json": ["schema": .object([])]],
            ])
        ] + refusals([400, 401, 403, 404, 409, 413, 415, 421, 422, 503])),
    ]
    return rule.needs == .logIn ? asked.setting("security", to: [.object([])]) : asked
  }

  private static let events: JSONValue = [
    "operationId": "watchEvents", "tags": ["events"], "summary": "watch",
    "description": "Events as they happen, of those whom the account sees.",
    "responses": .object(
      [
        JSONMember(
          key: "200",
          value: [
            "description":
              "Server-sent events: `data` is an Event; `event: here` is a sign of life, `ended` and `elsewhere` are the last.",
            "content": ["text/event-stream": ["schema": ["type": "string"]]],
          ])
      ] + refusals([400, 401, 403, 421, 503])),
  ]

  private static func identifier(of name: String) -> String {
    let words = name.split { $0 == "." || $0 == "-" }
    return words.prefix(1).joined()
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func tag(of name: String) -> String { String(name.prefix { $0 != "." }) }

  private static func need(of permissions: Set<Permission>) -> String {
    let words = permissions.map { "`\($0.rawValue)`" }.sorted()
    return permissions == [.logIn]
      ? "Takes no account." : "Takes the permission \(words.joined(separator: ", "))."
  }

  // MARK: Refusals

  /// What a refusal looks like.
  ///
  /// - Source: RFC 9457.
  private static let problem = JSONShape.object(
    name: "Problem",
    [
      JSONShape.Member("type", .text), JSONShape.Member("title", .text),
      JSONShape.Member("status", .whole), JSONShape.Member("code", .text),
    ])

  private static let meanings: KeyValuePairs<Int, String> = [
    400: "The request cannot be read.", 401: "Nobody is logged in by this token.",
    403: "The account may not.", 404: "There is no such thing.",
    409: "It contradicts something that exists, came too late, or has to be confirmed.",
    413: "Too much was sent.", 415: "What is sent has to be application/json.",
    421: "The name of the host is not the gateway's.", 422: "A value does not fit.",
    503: "Not just now: the same may be sent again after the seconds in Retry-After.",
  ]

  private static let responses = JSONValue.object(
    meanings.map { status, words in
      JSONMember(
        key: "Refused\(status)",
        value: [
          "description": .string(words),
          "content": ["application/problem+json": ["schema": problem.schema]],
        ])
    })

  private static func refusals(_ statuses: [Int]) -> [JSONMember] {
    statuses.map {
      JSONMember(key: "\($0)", value: ["$ref": .string("#/components/responses/Refused\($0)")])
    }
  }
}
