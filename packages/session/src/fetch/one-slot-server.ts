/** Ports of Ollama and LM Studio. */
const ports: ReadonlySet<string> = new Set(['11434', '1234']);

/**
 * True for llama.cpp, Ollama and LM Studio, which usually answer one request at a time.
 * @param headers of an answer
 */
export function isOneSlotServer({ port }: URL, headers: Headers): boolean {
  return ports.has(port) || /^llama\.cpp/i.test(headers.get('server') ?? '');
}
