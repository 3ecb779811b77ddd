/** A coding session as an agent sends it: the whole history with each request, two messages longer each time. */
export class GrowingConversation {
  readonly #messages: object[];
  readonly #mark: string;
  /** Lines of a result, so that a long conversation has larger results and not many more messages. */
  readonly #lines: number;
  #rounds = 0;

  /** @param bytes size of the first request */
  constructor(number: number, bytes: number) {
    this.#mark = `conversation ${number}`;
    this.#lines = Math.ceil(bytes / 25_000);
    this.#messages = [
      { role: 'system', content: 'You are a coding agent. Use the tools.' },
      { role: 'user', content: `Fix the failing test of the parser (${this.#mark}).` },
    ];
    for (let size = 0; size < bytes; ) {
      const round = this.#round();
      size += JSON.stringify(round).length;
      this.#messages.push(...round);
    }
  }

  /** The next request. */
  grow(): Buffer {
    this.#messages.push(...this.#round());
    const body = { model: 'large-model', stream: true, messages: this.#messages, tools };
    return Buffer.from(JSON.stringify(body));
  }

  #round(): object[] {
    const round = this.#rounds++;
    const id = `call_${round}`;
    const path = `src/module-${round}.ts`;
    const call = { name: 'read_file', arguments: JSON.stringify({ path }) };
    return [
      { role: 'assistant', content: `Step ${round}.`, tool_calls: [{ id, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: id, content: fileText(`${this.#mark}, ${path}`, this.#lines) },
    ];
  }
}

const tools = Array.from({ length: 20 }, (_, at) => ({
  type: 'function',
  function: {
    name: at === 0 ? 'read_file' : `tool_${at}`,
    description: 'Reads a file and returns its text, with a number before each line. '.repeat(20),
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
}));

function fileText(name: string, lines: number): string {
  return Array.from({ length: lines }, (_, line) => `${line}\texport const value_${line} = compute("${name}");`).join(
    '\n',
  );
}
