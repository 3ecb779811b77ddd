import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A provider that answers as soon as it has the whole request, so that what remains is the time of the way. Prints its
 * port. Runs as a process, because it would otherwise share the processor with the client.
 */
const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const usage = { prompt_tokens: Math.round(bytes / 4), completion_tokens: 2 };
    for (const event of [{ choices: [{ index: 0, delta: { content: 'Done.' } }] }, { choices: [], usage }])
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end('data: [DONE]\n\n');
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
