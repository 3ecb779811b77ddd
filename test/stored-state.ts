import { inflateSync } from 'node:zlib';

/** What a session has stored, as JSON. Other text is returned as it is. */
export function readableState(text: string): string {
  const [head = '', body = ''] = text.split('\n');
  return head.startsWith('palimpsest-session/') ? inflateSync(Buffer.from(body, 'base64')).toString('utf8') : text;
}
