/** A function call of an assistant message, in the format of OpenAI's chat API. */
export interface RecordedCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** One message of a recorded session. */
export type RecordedMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly RecordedCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** A tool that the agent of a session could call. `parameters` is a JSON Schema. */
export interface OfferedTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

/** The content of a sample file. */
export interface Recording {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly madeBy: string;
  readonly messages: readonly RecordedMessage[];
  readonly tools: readonly OfferedTool[];
}

/** Formats a recording as JSON with one message per line, so that recordings can be compared line by line. */
export function recordingJson(recording: Recording): string {
  const { messages, tools, ...about } = recording;
  const head = Object.entries(about).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`);
  const lines = (values: readonly unknown[]) => values.map((value) => `    ${JSON.stringify(value)}`).join(',\n');
  return `{\n${head.join('')}  "messages": [\n${lines(messages)}\n  ],\n  "tools": [\n${lines(tools)}\n  ]\n}\n`;
}
