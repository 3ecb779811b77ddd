import { expect, it } from 'vitest';
import { ServedAddresses } from '../../../src/proxy/served-compaction/served-addresses.ts';
import { ServedCompaction } from '../../../src/proxy/served-compaction/served-compaction.ts';

const url = new URL('https://gateway.example/v1/messages');
const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }];
const messages = [{ role: 'user', content: 'Go.' }];
const bytes = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 10, messages, context_management: { edits } }));

it('a beta that does not exist says nothing about requests without it', async () => {
  const compaction = new ServedCompaction({} as never, new ServedAddresses(false));
  const sent: string[] = [];
  const answer = (beta: string): Promise<Response> =>
    compaction.answer({
      url,
      bytes,
      headers: new Headers({ 'anthropic-beta': beta }),
      signal: new AbortController().signal,
      find: () => {
        throw new Error('served here');
      },
      async sendOn() {
        sent.push(beta);
        const message = `Unexpected value(s) \`${beta}\` for the \`anthropic-beta\` header.`;
        return beta === 'compact-2099-01-01'
          ? Response.json({ error: { message } }, { status: 400 })
          : Response.json({ ok: true });
      },
    } as never);
  await answer('compact-2099-01-01').catch(() => undefined);
  expect((await answer('compact-2026-01-12')).status).toBe(200);
  expect(sent.at(-1)).toBe('compact-2026-01-12');
});
