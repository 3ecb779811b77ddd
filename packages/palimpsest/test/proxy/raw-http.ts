import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A provider that is no more than an HTTP server. */
export interface RawServer {
  readonly url: URL;
  close(): Promise<void>;
}

export async function rawServer(listener: RequestListener): Promise<RawServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A connection on which bytes are written by hand. */
export interface RawConnection {
  readonly socket: Socket;
  /** Everything received when the other side has closed. */
  readonly received: Promise<string>;
}

export function rawConnection(port: number): RawConnection {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received = new Promise<string>((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    socket.on('end', () => socket.end());
  });
  return { socket, received };
}

/** Sends bytes and returns what comes back. */
export function rawRequest(port: number, text: string): Promise<string> {
  const { socket, received } = rawConnection(port);
  socket.write(text);
  return received;
}
