import Testing

@testable import homeward_plugin_sms_modem

@Suite("What is read from a modem's storage")
struct InboxTests {
  @Test(
    "A line names a place that is ours",
    arguments: [
      ("+CMGL: 3,0,,27", 3), ("+CMGL: 4,1,,27", 4), ("+CMGL: 5,2,,27", nil),
      ("+CMGL: 6,3,,27", nil), ("+CMGL: 7", nil), ("+CMGL: x,0,,27", nil), ("+CMGL:", nil),
    ] as [(String, Int?)])
  func listed(line: String, place: Int?) {
    var inbox = Inbox()
    let found = inbox.place(listed: line)
    #expect(found == place)
  }

  private static let third = "+CMGL: 3,0,,27"

  @Test("A place is in hand until its message is gone, or left, or the port is closed")
  func inHand() {
    var inbox = Inbox()
    for free in [{ $0.deleted(3) }, { $0.leave([3, 4]) }, { $0.portClosed() }]
      as [(inout Inbox) -> Void]
    {
      let places = [inbox.place(listed: Self.third), inbox.place(listed: Self.third)]
      #expect(places == [3, nil])
      free(&inbox)
    }
  }

  @Test("Whoever wants to read while it is being read is served once, afterwards")
  func again() {
    var inbox = Inbox()
    let began = [inbox.beginReading(), inbox.beginReading(), inbox.beginReading()]
    #expect(began == [true, false, false])
    inbox.endReading()
    let wants = [inbox.wantsReading(), inbox.wantsReading()]
    #expect(wants == [true, false])
    let begins = inbox.beginReading()
    #expect(begins)
  }
}
