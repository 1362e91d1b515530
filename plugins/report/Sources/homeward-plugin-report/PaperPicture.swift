import CPango
import CareReports
import Charts
import PictureFiles
import Texts

/// A picture as it is put on paper: a JPEG as it is, without being decoded; a PNG as its pixels.
final class PaperPicture {
  /// A PNG is decoded, at four bytes for each of its pixels.
  private static let decodedPixelsAtMost = 24_000_000

  private let surface: OpaquePointer
  private let file: PictureFile

  /// Checks and takes a file.
  ///
  /// - Throws: why it cannot be shown, in that language.
  init(_ bytes: [UInt8], language: Language) throws(PaperFault) {
    do throws(PictureFault) {
      file = try PictureFile(checking: bytes)
    } catch {
      throw PaperFault(error.message.text(in: language))
    }
    switch file.kind {
    case .jpeg: surface = Self.wrapped(file)
    case .png:
      guard file.width * file.height <= Self.decodedPixelsAtMost else {
        let message = Message(
          "The picture has {width} by {height} pixels, which is too much for paper.",
          ["width": file.width, "height": file.height])
        throw PaperFault(message.text(in: language))
      }
      surface = Self.decoded(file)
    }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(surface)
      throw PaperFault(Message("The picture cannot be read.").text(in: language))
    }
  }

  deinit { cairo_surface_destroy(surface) }

  private var isTurned: Bool { file.orientation >= 5 }
  /// How wide it is when it is seen upright, in pixels.
  var width: Double { Double(isTurned ? file.height : file.width) }
  /// How high it is then.
  var height: Double { Double(isTurned ? file.width : file.height) }

  /// Draws it upright, a pixel for a point.
  ///
  /// - Source: EXIF 2.32, tag Orientation.
  func draw(on canvas: Canvas) {
    let (w, h) = (Double(file.width), Double(file.height))
    var matrix = cairo_matrix_t()
    switch file.orientation {
    case 2: cairo_matrix_init(&matrix, -1, 0, 0, 1, w, 0)
    case 3: cairo_matrix_init(&matrix, -1, 0, 0, -1, w, h)
    case 4: cairo_matrix_init(&matrix, 1, 0, 0, -1, 0, h)
    case 5: cairo_matrix_init(&matrix, 0, 1, 1, 0, 0, 0)
    case 6: cairo_matrix_init(&matrix, 0, 1, -1, 0, h, 0)
    case 7: cairo_matrix_init(&matrix, 0, -1, -1, 0, h, w)
    case 8: cairo_matrix_init(&matrix, 0, -1, 1, 0, 0, w)
    default: cairo_matrix_init_identity(&matrix)
    }
    cairo_save(canvas.context)
    cairo_transform(canvas.context, &matrix)
    cairo_set_source_surface(canvas.context, surface, 0, 0)
    cairo_paint(canvas.context)
    cairo_restore(canvas.context)
  }

  private final class Bytes {
    let bytes: [UInt8]
    var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  /// An empty surface of that size, whose content Cairo takes from the file.
  private static func wrapped(_ file: PictureFile) -> OpaquePointer {
    let surface: OpaquePointer = cairo_image_surface_create(
      CAIRO_FORMAT_RGB16_565, Int32(file.width), Int32(file.height))
    let kept = Unmanaged.passRetained(KeptBytes(file.bytes))
    let bytes = kept.takeUnretainedValue().bytes
    let status = cairo_surface_set_mime_data(
      surface, CAIRO_MIME_TYPE_JPEG, bytes.baseAddress, UInt(bytes.count),
      { kept in if let kept { Unmanaged<KeptBytes>.fromOpaque(kept).release() } }, kept.toOpaque())
    if status != CAIRO_STATUS_SUCCESS { kept.release() }
    return surface
  }

  private static func decoded(_ file: PictureFile) -> OpaquePointer {
    let source = Bytes(file.bytes)
    return withExtendedLifetime(source) {
      cairo_image_surface_create_from_png_stream(
        { file, into, count in
          guard let file, let into else { return CAIRO_STATUS_READ_ERROR }
          let source = Unmanaged<Bytes>.fromOpaque(file).takeUnretainedValue()
          guard source.place + Int(count) <= source.bytes.count else {
            return CAIRO_STATUS_READ_ERROR
          }
          for offset in 0..<Int(count) { into[offset] = source.bytes[source.place + offset] }
          source.place += Int(count)
          return CAIRO_STATUS_SUCCESS
        }, Unmanaged.passUnretained(source).toOpaque())
    }
  }
}

/// Bytes that stay where they are for as long as somebody in C needs them.
private final class KeptBytes {
  let bytes: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = .allocate(capacity: bytes.count)
    _ = self.bytes.initialize(from: bytes)
  }

  deinit { bytes.deallocate() }
}
