import { instructionFiles, isLoadingTool, readToolName, toolClass } from '@palimpsest/agents';
import {
  contentText,
  type Message,
  type SummaryMaterial,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import { memoizeByObject } from '@palimpsest/core/authoring';
import { callText, oneLine, startOf } from '@palimpsest/pruner/salience';
import { type Item, verbatimItem } from './item.ts';

const maxListed = 20;
const label = '- Instructions that were loaded and are gone now; load them again before relying on them:';

/**
 * What was loaded in messages that do not stay, and was not loaded again in those that stay: skills and rule files.
 * @param earlier the entries of the previous summary that may list some
 */
export function reloads(
  { messages, fromPerson = [], kept }: SummaryMaterial,
  earlier: readonly string[],
): readonly Item[] {
  const loads = (all: readonly Message[], real: readonly number[]): string[] => {
    const typed = new Set(real);
    return all.flatMap((message, at) => [
      ...(typed.has(at) ? [] : readInsertedLoads(message)),
      ...rememberedLoads(message),
    ]);
  };
  const still = new Set([kept?.before, kept?.after].flatMap((one) => (one ? loads(one.messages, one.fromPerson) : [])));
  const before = earlier
    .filter((text) => text.startsWith(label))
    .flatMap((text) => text.slice(label.length).split(';'))
    .map((load) => load.trim());
  const gone = [...new Set([...before, ...loads(messages, fromPerson)])].filter(
    (load) => load !== '' && !still.has(load),
  );
  return gone.length === 0 ? [] : [verbatimItem(`${label} ${gone.slice(-maxListed).join('; ')}`)];
}

/** Matches the heading that Codex puts above an instruction file: `# AGENTS.md instructions for /repo`. */
const insertedFile: RegExp = /^# ([\w.-]{1,40}\.md) instructions for (\/[^\n]{1,300}|[A-Z]:[^\n]{1,300})$/m;

/** What the harness loads in a user message, by path. */
function readInsertedLoads({ role, content }: Message): string[] {
  const [, file, folder] = (role === 'user' && insertedFile.exec(contentText(content))) || [];
  return file === undefined ? [] : [`${folder!.trim().replace(/[\\/]$/, '')}/${file}`];
}

/** What the calls in a message load: skills by tool and name, rule files by path. */
function loadsOf(message: Message): string[] {
  return toolCalls(message).flatMap((call) => {
    const name = toolCallName(call);
    const input = toolCallInput(call);
    if (!isLoadingTool(name) && !instructionFiles.mayBeIn(input)) return [];
    const { target } = callText(name, input);
    if (isLoadingTool(name)) return [startOf(oneLine(`${name} ${target}`.trim().replaceAll(';', ' ')), 160)];
    const isLoaded = toolClass(readToolName(name).tool) !== 'command' && !/write|edit|patch|create/i.test(name);
    return isLoaded && instructionFiles.is(target) && target.length <= 300 ? [oneLine(target)] : [];
  });
}

const rememberedLoads = /* @__PURE__ */ memoizeByObject(loadsOf);
