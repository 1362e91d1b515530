import CGatewayShims

extension StoreThread {
  static func setName(_ name: String) { homeward_name_thread(name) }
}
