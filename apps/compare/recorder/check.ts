import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Recording } from './recording.ts';
import { NEUTRAL_NAMES } from './workspace.ts';

/** Returns one sentence for each problem of a recording; an empty list if it is valid. */
export function problemsOf(recording: Recording): string[] {
  const problems: string[] = [];
  const known = new Set(recording.tools.map((tool) => tool.function.name));
  const seen = new Set<string>();
  let openCalls: string[] = [];
  for (const [index, message] of recording.messages.entries()) {
    if (message.role === 'tool') {
      // Results follow their calls directly, in the same order.
      if (openCalls.shift() !== message.tool_call_id) problems.push(`message ${index} answers no open call`);
      continue;
    }
    if (openCalls.length > 0)
      problems.push(`message ${index} comes before ${openCalls.length} open calls are answered`);
    openCalls = [];
    for (const call of message.role === 'assistant' ? (message.tool_calls ?? []) : []) {
      if (seen.has(call.id)) problems.push(`message ${index} repeats the id ${call.id}`);
      if (!known.has(call.function.name))
        problems.push(`message ${index} calls ${call.function.name}, which is not in the list of tools`);
      if (!isJsonObject(call.function.arguments))
        problems.push(`message ${index} has arguments that are not a JSON object`);
      seen.add(call.id);
      openCalls.push(call.id);
    }
  }
  if (openCalls.length > 0) problems.push(`${openCalls.length} calls at the end are not answered`);
  return [...problems, ...machineNames(recording)];
}

/** Reports names of this machine in a recording. A neutral name is no problem, even if it is also the real one. */
function machineNames(recording: Recording): string[] {
  const text = JSON.stringify(recording.messages);
  const names = [hostname(), join(tmpdir(), 'recorder-'), process.cwd(), process.execPath, userInfo().homedir];
  return names
    .filter((name) => !NEUTRAL_NAMES.has(name) && text.includes(name))
    .map((name) => `the recording contains a name of this machine: ${name}`);
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
