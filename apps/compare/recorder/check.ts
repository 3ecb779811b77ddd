import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Recording } from './recording.ts';
import { NEUTRAL_NAMES } from './workspace.ts';

/** What is wrong with a recording: one sentence each, none when it may be kept. */
export function faultsOf(recording: Recording): string[] {
  const faults: string[] = [];
  const known = new Set(recording.tools.map((tool) => tool.function.name));
  const seen = new Set<string>();
  let awaited: string[] = [];
  for (const [index, message] of recording.messages.entries()) {
    if (message.role === 'tool') {
      // Results stand in the order of their calls, directly behind them.
      if (awaited.shift() !== message.tool_call_id) faults.push(`message ${index} answers no open call`);
      continue;
    }
    if (awaited.length > 0) faults.push(`message ${index} comes before ${awaited.length} open calls are answered`);
    awaited = [];
    for (const call of message.role === 'assistant' ? (message.tool_calls ?? []) : []) {
      if (seen.has(call.id)) faults.push(`message ${index} repeats the id ${call.id}`);
      if (!known.has(call.function.name))
        faults.push(`message ${index} calls ${call.function.name}, which is not offered`);
      if (!isJsonObject(call.function.arguments))
        faults.push(`message ${index} has arguments that are not a JSON object`);
      seen.add(call.id);
      awaited.push(call.id);
    }
  }
  if (awaited.length > 0) faults.push(`${awaited.length} calls at the end are not answered`);
  return [...faults, ...traces(recording)];
}

/** Names of this machine that must not stand in a recording; the neutral ones may happen to be the real ones. */
function traces(recording: Recording): string[] {
  const text = JSON.stringify(recording.messages);
  const names = [hostname(), join(tmpdir(), 'recorder-'), process.cwd(), process.execPath, userInfo().homedir];
  return names
    .filter((name) => !NEUTRAL_NAMES.has(name) && text.includes(name))
    .map((name) => `the recording names this machine: ${name}`);
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
