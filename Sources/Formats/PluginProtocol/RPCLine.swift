public import JSON

/// Composes lines of JSON-RPC 2.0, each with its newline.
public enum RPCLine {
  /// A request.
  public static func request(id: RPCID, method: String, params: JSONValue) -> [UInt8] {
    line(["jsonrpc": "2.0", "id": id.json, "method": .string(method), "params": params])
  }

  /// A notification.
  public static func notification(method: String, params: JSONValue) -> [UInt8] {
    line(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  /// The answer to a request.
  public static func result(id: RPCID, _ result: JSONValue) -> [UInt8] {
    line(["jsonrpc": "2.0", "id": id.json, "result": result])
  }

  /// The error answer to a request; `id` is nil when the request could not be read.
  public static func failure(id: RPCID?, _ error: RPCError) -> [UInt8] {
    line(["jsonrpc": "2.0", "id": id?.json ?? .null, "error": error.json])
  }

  private static func line(_ message: JSONValue) -> [UInt8] {
    var bytes = message.serializedBytes
    bytes.append(0x0A)
    return bytes
  }
}
