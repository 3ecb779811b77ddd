import { instructionFiles, readToolName, toolClass } from '@palimpsest/agents';
import { contentText, hasToolCalls, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { callText, oneLine, startOf } from '@palimpsest/pruner/salience';
import { remembering } from '../source/remembering.ts';
import { plainItems } from '../template/section-items.ts';
import { appended, type Grounded, type GroundTruth } from './grounded.ts';

/** Matches the names of tools that load instructions. */
const loader: RegExp =
  /^(?:.*__)?(?:skill|skills?[_-](?:view|load|read|open|use|get|invoke)|(?:load|read|view|open|use|invoke|get)[_-]?skills?|load_(?:rules?|instructions?|prompt|memory_bank))$/i;
const mostListed = 20;
const label = 'Instructions that were loaded and are gone now; load them again before relying on them:';

/** Lists skills and rule files that were loaded in the summarized turns but not again in the rest of the transcript. */
export function listReloads(grounded: Grounded, truth: GroundTruth): Grounded {
  const { messages } = truth.source;
  const taken = new Set(messages.map(({ index }) => index));
  const still = new Set<string>();
  truth.transcript.messages.forEach((message, index) => {
    if (taken.has(index)) return;
    for (const load of loadsOf(message)) still.add(load);
    if (!truth.transcript.isRequest(index)) for (const load of insertedLoads(message)) still.add(load);
  });
  const index = truth.roles.place('rules');
  // A quoted line with this label is not the list.
  const earlier = plainItems(truth.previous.sections[index] ?? '')
    .filter((item) => item.startsWith(label))
    .flatMap((item) => item.slice(label.length).split(/[;\n]/))
    .map((load) => load.trim());
  const gone = new Set(
    [
      ...earlier,
      ...messages.flatMap(({ message, real }) => (real ? [] : insertedLoads(message))),
      ...truth.source.shown.messages.filter(hasToolCalls).flatMap(rememberedLoads),
    ].filter(Boolean),
  );
  const list = [...gone].filter((load) => !still.has(load)).slice(-mostListed);
  if (list.length === 0) return grounded;
  const rest = grounded.sections.map((section) =>
    section
      .split('\n')
      .filter((line) => !line.startsWith(label))
      .join('\n'),
  );
  return { ...grounded, sections: appended(rest, index, `${label} ${list.join('; ')}`, truth.template) };
}

/** Matches the heading that Codex puts above an instruction file: `# AGENTS.md instructions for /repo`. */
const insertedFile: RegExp = /^# ([\w.-]{1,40}\.md) instructions for (\/[^\n]{1,300}|[A-Z]:[^\n]{1,300})$/m;

/** What the harness loads in a user message, by path. */
function insertedLoads({ role, content }: Message): string[] {
  const [, file, folder] = (role === 'user' && insertedFile.exec(contentText(content))) || [];
  return file === undefined ? [] : [`${folder!.trim().replace(/[\\/]$/, '')}/${file}`];
}

/** What the calls in a message load: skills by tool and name, rule files by path. */
function loadsOf(message: Message): string[] {
  return toolCalls(message).flatMap((call) => {
    const name = toolCallName(call);
    const input = toolCallInput(call);
    if (!loader.test(name) && !instructionFiles.mayBeIn(input)) return [];
    const { target } = callText(name, input);
    if (loader.test(name)) return [startOf(oneLine(`${name} ${target}`.trim().replaceAll(';', ' ')), 160)];
    const isLoaded = toolClass(readToolName(name).tool) !== 'command' && !/write|edit|patch|create/i.test(name);
    return isLoaded && instructionFiles.is(target) && target.length <= 300 ? [oneLine(target)] : [];
  });
}

const rememberedLoads = /* @__PURE__ */ remembering(loadsOf);
