/** Ports of Ollama and LM Studio. */
const ports: ReadonlySet<string> = new Set(['11434', '1234']);

/**
 * True for llama.cpp, Ollama and LM Studio, which usually answer one request at a time. Ollama's own API is its server on any port,
 * except in its cloud.
 * @param headers of an answer
 */
export function isOneSlotServer({ hostname, pathname, port }: URL, headers: Headers): boolean {
  const isOllama = /\/api\/chat\/?$/.test(pathname) && !/(?:^|\.)ollama\.com$/.test(hostname);
  return isOllama || ports.has(port) || /^llama\.cpp/i.test(headers.get('server') ?? '');
}
