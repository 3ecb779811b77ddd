import type { FoundTranscript } from '@palimpsest/eval/inputs/read-transcripts';

/** Agents that `palimpsest run` starts, by the format of their sessions. */
const agents: Readonly<Record<string, string>> = { claudeCode: 'claude', codex: 'codex' };

/**
 * Commands that show more of a transcript, or start the agent that wrote it, the best first.
 * @param isNamed true if the user named the file
 * @param hasPage true if a page was written
 */
export function nextCommands(
  { file, format }: Pick<FoundTranscript, 'file' | 'format'>,
  isNamed: boolean,
  hasPage: boolean,
): readonly string[] {
  const agent = agents[format];
  const run = `palimpsest run -- ${agent ?? 'claude'}`;
  if (!isNamed || (hasPage && agent)) return [run];
  const inspect = `palimpsest inspect ${quoted(file)}`;
  return hasPage ? [inspect, run] : [`palimpsest compare ${quoted(file)} --html report.html`, inspect, run];
}

/** An argument as a shell reads it. */
function quoted(argument: string): string {
  return /^[\w./~@:+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
