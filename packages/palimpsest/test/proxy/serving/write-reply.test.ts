import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { writeReply } from '../../../src/proxy/write-reply.ts';

/** Serves one reply to a raw client. @returns what became of the reply, and the client */
async function serve(reply: Response, stallMs: number) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const outcome = new Promise<string>((resolve) => {
    server.once('request', (_, response) => {
      writeReply(reply, response, stallMs).then(
        () => resolve('written'),
        (error: Error) => resolve(error.message),
      );
    });
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return { server, socket, outcome };
}

it('ends a reply of which the client reads nothing', async () => {
  const chunk = new Uint8Array(1024 * 1024);
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
  const { server, socket, outcome } = await serve(new Response(endless), 400);
  expect(await outcome).toMatch(/reads nothing|premature close|aborted/i);
  socket.destroy();
  server.close();
});

it('waits for a model that says nothing', async () => {
  const slow = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('one'));
      await setTimeout(1_200);
      controller.enqueue(new TextEncoder().encode('two'));
      controller.close();
    },
  });
  const { server, socket, outcome } = await serve(new Response(slow), 400);
  socket.resume();
  expect(await outcome).toBe('written');
  socket.destroy();
  server.close();
});
