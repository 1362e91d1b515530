import JSON

/// The map of a page, and what scripts draw on it.
enum MapPart {
  /// What scripts draw, as data.
  ///
  /// - Parameters:
  ///   - people: who is shown; everybody where nothing is said.
  ///   - edited: the zone that is drawn by the form in which it is changed.
  ///   - place: the place that is changed.
  ///   - followed: the resident who stays in view.
  ///   - trail: where somebody was.
  static func drawn(
    _ visit: Visit, people: [JSONValue]? = nil, zones: [JSONValue], bookmarks: [JSONValue] = [],
    edited: JSONValue? = nil, place: JSONValue? = nil, followed: JSONValue? = nil,
    trail: Trail? = nil
  ) -> HTML {
    let people = (people ?? visit.residents).map { resident -> JSONValue in
      .object([
        "id": resident["id"], "name": resident["name"],
        "position": resident["tracking"]?["position"],
        "isOutside": resident["tracking"]?["outside"],
      ])
    }
    let data: JSONValue = [
      "people": .array(people), "zones": .array(zones), "bookmarks": .array(bookmarks),
      "chosen": followed ?? visit.fields["resident"].map { .string($0) } ?? .null,
      "edited": edited ?? .null, "place": place ?? .null, "followed": followed ?? .null,
      "trail": trail?.drawn ?? .null,
    ]
    return drawn(data)
  }

  /// Data for scripts, out of the way of whoever reads.
  static func drawn(_ data: JSONValue) -> HTML {
    HTML(stringLiteral: "<script type=\"application/json\" id=\"drawn\">")
      + HTML(stringLiteral: data.serialized.scriptSafe) + HTML(stringLiteral: "</script>")
  }

  /// Where scripts draw the map.
  static func canvas(_ visit: Visit) -> HTML {
    """
    <div id="map" role="application" aria-label="\(visit.gettext("Map. Everything on it stands in the list, too."))" data-squares="/map/squares" data-late="\(visit.gettext("No newer position has come yet. The receiver may see no sky, or have no connection."))"></div>
    """
  }
}
