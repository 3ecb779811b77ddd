import { type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { callText, oneLine, startOf } from '@palimpsest/salience';
import { plainItems } from '../template/section-items.ts';
import { appended, type Grounded, type GroundTruth } from './grounded.ts';

/** Tools that load instructions, by the names agents give them. */
const loader: RegExp =
  /^(?:.*__)?(?:skill|skills?[_-](?:view|load|read|open|use|get|invoke)|(?:load|read|view|open|use|invoke|get)[_-]?skills?|load_(?:rules?|instructions?|prompt|memory_bank))$/i;
/** Files that hold instructions for agents. */
const ruleFile: RegExp =
  /(?:^|[/\\])(?:AGENTS?|CLAUDE|GEMINI|SKILL|CONVENTIONS|copilot-instructions|\.?cursorrules|\.?windsurfrules|\.?clinerules|WARP|RULES)(?:\.(?:md|mdc|txt|local\.md))?$|\.mdc$/i;
/** What such a file's name has in it; spares every other call the search for its target. */
const ruleFileLike: RegExp = /AGENT|CLAUDE|GEMINI|SKILL|CONVENTIONS|instructions|rules|WARP|\.mdc/i;
const label = 'Instructions that were loaded and are gone now; load them again before relying on them:';

/** Lists skills and rule files that a tool loaded in the turns and that nothing after them loads again. */
export function listReloads(grounded: Grounded, truth: GroundTruth, transcript: Transcript): Grounded {
  const taken = new Set(truth.source.messages.map(({ index }) => index));
  const still = new Set<string>();
  transcript.messages.forEach((message, index) => {
    if (!taken.has(index)) for (const load of loadsOf(message)) still.add(load);
  });
  const index = truth.roles.place('rules');
  // Only lines outside of quotations are our own list; a quoted line with this label is not.
  const earlier = plainItems(truth.previous.sections[index] ?? '')
    .filter((item) => item.startsWith(label))
    .flatMap((item) => item.slice(label.length).split(/[;\n]/))
    .map((load) => load.trim());
  const gone = new Set(
    [...earlier, ...truth.source.messages.flatMap(({ message }) => loadsOf(message))].filter(Boolean),
  );
  const list = [...gone].filter((load) => !still.has(load)).slice(-20);
  if (list.length === 0) return grounded;
  const rest = grounded.sections.map((section) =>
    section
      .split('\n')
      .filter((line) => !line.startsWith(label))
      .join('\n'),
  );
  return { ...grounded, sections: appended(rest, index, `${label} ${list.join('; ')}`, truth.template) };
}

function loadsOf(message: Message): string[] {
  return toolCalls(message).flatMap((call) => {
    const name = toolCallName(call);
    const input = toolCallInput(call);
    if (!loader.test(name) && !ruleFileLike.test(input)) return [];
    const { target } = callText(name, input);
    if (loader.test(name)) return [startOf(oneLine(`${name} ${target}`.trim().replaceAll(';', ' ')), 160)];
    return ruleFile.test(target) && target.length <= 300 && !/write|edit|patch|create/i.test(name)
      ? [oneLine(target)]
      : [];
  });
}
