"""Where the plugin's tests have events sent to."""

import http.server
import queue
import threading


class Receiver:
    """A web server that notes each request and answers as told."""

    def __init__(self, context=None):
        self.requests = queue.Queue()
        self.answer = lambda body: (200, {})
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                receiver.requests.put((self.path, dict(self.headers), body))
                answer = receiver.answer(body)
                if answer is None:
                    self.close_connection = True
                    return
                status, headers, *texts = answer
                content = "".join(texts).encode()
                self.send_response(status)
                for name, text in headers.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, client_address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
