/** Ports of Ollama and LM Studio. */
const ports: ReadonlySet<string> = new Set(['11434', '1234']);

/**
 * True for llama.cpp, Ollama and LM Studio, which usually answer one request at a time. A request to `/api/chat` is for Ollama
 * on any port. Ollama's cloud answers several requests at once.
 * @param headers of an answer
 */
export function isOneSlotServer({ hostname, pathname, port }: URL, headers: Headers): boolean {
  const isOllama = /\/api\/chat\/?$/.test(pathname) && !/(?:^|\.)ollama\.com$/.test(hostname);
  return isOllama || ports.has(port) || /^llama\.cpp/i.test(headers.get('server') ?? '');
}
