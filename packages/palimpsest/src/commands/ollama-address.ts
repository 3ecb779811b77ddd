/** The port of Ollama. */
const usualPort = '11434';

/** Completes `OLLAMA_HOST` as Ollama does: scheme and port may be missing. A server that listens everywhere is also on this machine. */
export function ollamaAddress(host: string): string {
  if (host.includes('://')) return host;
  const text = `http://${host.replace(/^(?:0\.0\.0\.0|\[::\])?(?=:|\/|$)/, '127.0.0.1')}`;
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (!/:\d+(?:\/|$)/.test(host)) url.port = usualPort;
  return url.href;
}
