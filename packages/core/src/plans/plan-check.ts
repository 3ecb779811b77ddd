import { PalimpsestError } from '../errors.ts';
import { isJson } from '../json/json-value.ts';
import type { Group } from '../messages/group.ts';
import {
  hasToolCalls,
  isBlank,
  isSystem,
  isToolResult,
  lacksContent,
  leadingSystems,
  type Message,
  type ToolCall,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '../messages/message.ts';
import { checkInserted } from './check-inserted.ts';
import type { Edit, ReplaceEdit, RewriteEdit } from './edit.ts';
import { sourcesProblem } from './line-source.ts';

/** A validated plan: rewrites by message index and replaces in order, each with its position in the plan. */
export interface CheckedPlan {
  readonly rewrites: ReadonlyMap<number, { readonly edit: RewriteEdit; readonly position: number }>;
  readonly replaces: readonly { readonly edit: ReplaceEdit; readonly position: number }[];
}

/**
 * Checks that a plan fits the transcript it was made for: every index is in range, every message has one outcome, calls
 * keep their ids, arguments stay JSON, and everything inserted is a valid message.
 * @throws {PalimpsestError} `PLAN_INVALID` or `PLAN_CONFLICT`
 */
export function checkPlan(messages: readonly Message[], groups: readonly Group[], edits: readonly Edit[]): CheckedPlan {
  if (!Array.isArray(edits))
    throw new PalimpsestError('PLAN_INVALID', 'A plan must be an array of edits.', { edit: -1 });
  const rewrites = new Map<number, { edit: RewriteEdit; position: number }>();
  const replaces: { edit: ReplaceEdit; position: number }[] = [];
  edits.forEach((edit: Edit, position) => {
    if (edit?.kind === 'rewrite') {
      checkRewrite(messages, edit, position);
      const other = rewrites.get(edit.at);
      if (other) throw conflict(`message ${edit.at} is rewritten twice`, [other.position, position]);
      rewrites.set(edit.at, { edit, position });
    } else if (edit?.kind === 'replace') {
      checkReplace(messages, groups, edit, position);
      replaces.push({ edit, position });
    } else {
      throw invalid(position, 'its kind is neither "rewrite" nor "replace"');
    }
  });
  replaces.sort((a, b) => a.edit.groups[0] - b.edit.groups[0] || a.edit.groups[1] - b.edit.groups[1]);
  for (let index = 1; index < replaces.length; index++) {
    const [before, after] = [replaces[index - 1]!, replaces[index]!];
    const overlaps = after.edit.groups[0] < before.edit.groups[1];
    const sameGap = after.edit.groups[0] === before.edit.groups[0] && after.edit.groups[1] === before.edit.groups[1];
    if (overlaps || sameGap)
      throw conflict(`groups ${after.edit.groups[0]} to ${before.edit.groups[1]} are replaced twice`, [
        before.position,
        after.position,
      ]);
  }
  checkSources(replaces, groups);
  for (const { edit, position } of replaces) {
    for (let group = edit.groups[0]; group < edit.groups[1]; group++) {
      for (let at = groups[group]!.from; at < groups[group]!.to; at++) {
        const rewrite = rewrites.get(at);
        if (rewrite && (!isSystem(messages[at]!) || edit.summarizedSystems?.includes(at)))
          throw conflict(`message ${at} is both rewritten and replaced`, [rewrite.position, position]);
      }
    }
  }
  return { rewrites, replaces };
}

function checkRewrite(messages: readonly Message[], edit: RewriteEdit, position: number): void {
  const message = Number.isInteger(edit.at) ? messages[edit.at] : undefined;
  if (!message) throw invalid(position, `it rewrites message ${edit.at} of ${messages.length}`);
  if (typeof edit.set !== 'object' || edit.set === null) throw invalid(position, 'it sets nothing');
  const { content, tool_calls: calls, reasoning_content: reasoning } = edit.set;
  for (const field of Object.keys(edit.set))
    if (field !== 'content' && field !== 'tool_calls' && field !== 'reasoning_content')
      throw invalid(position, 'it sets a field besides "content", "tool_calls" and "reasoning_content"');
  if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content))
    throw invalid(position, 'its content is neither text, parts nor null');
  const mayBeBlank = isToolResult(message) || hasToolCalls(message) || isBlank(message.content);
  if ('content' in edit.set && isBlank(content) && !mayBeBlank)
    throw invalid(position, `it empties ${message.role} message ${edit.at}`);
  if ('content' in edit.set && lacksContent({ role: message.role, content }))
    throw invalid(
      position,
      `it leaves the result in message ${edit.at} without content; write an empty string instead`,
    );
  if (reasoning !== undefined && reasoning !== null) throw invalid(position, 'reasoning can only be removed');
  if (calls !== undefined) checkCalls(toolCalls(message), calls, position);
}

function checkCalls(before: readonly ToolCall[], after: readonly ToolCall[], position: number): void {
  if (!Array.isArray(after) || after.length !== before.length || before.length === 0)
    throw invalid(
      position,
      `it sets ${Array.isArray(after) ? after.length : 'no list of'} tool calls in place of ${before.length}`,
    );
  before.forEach((call, index) => {
    const next = after[index]!;
    if (next?.id !== call.id || next.type !== call.type || toolCallName(next) !== toolCallName(call))
      throw invalid(position, `it changes the id, type or name of tool call ${index}`);
    if (call.type !== 'custom' && isJson(toolCallInput(call)) && !isJson(toolCallInput(next)))
      throw invalid(position, `the arguments of tool call ${index} were JSON and no longer are`);
  });
}

function checkReplace(
  messages: readonly Message[],
  groups: readonly Group[],
  edit: ReplaceEdit,
  position: number,
): void {
  const [from, to] = Array.isArray(edit.groups) ? edit.groups : [];
  if (!Number.isInteger(from) || !Number.isInteger(to) || from! < 0 || to! < from! || to! > groups.length)
    throw invalid(position, `it replaces groups ${from} to ${to} of ${groups.length}`);
  if (!Array.isArray(edit.with)) throw invalid(position, 'its "with" is not an array');
  edit.with.forEach((inserted, index) => {
    const problem = checkInserted(inserted, messages);
    if (problem !== null) throw invalid(position, `inserted message ${index} ${problem}`);
  });
  if (from === to && edit.with.length === 0) throw invalid(position, 'it inserts nothing');
  if (edit.summarizedSystems !== undefined) checkSummarizes(messages, groups.slice(from, to), edit, position);
}

/** A session stores a plan with the messages up to the last replaced one, so sources must be among these messages. */
function checkSources(replaces: CheckedPlan['replaces'], groups: readonly Group[]): void {
  // Replaces are in order and do not overlap.
  const end = groups[(replaces.at(-1)?.edit.groups[1] ?? 0) - 1]?.to ?? 0;
  for (const { edit, position } of replaces)
    edit.with.forEach((inserted, index) => {
      const problem = sourcesProblem(inserted, end);
      if (problem !== null) throw invalid(position, `inserted message ${index} ${problem}`);
    });
}

function checkSummarizes(
  messages: readonly Message[],
  replaced: readonly Group[],
  { summarizedSystems }: ReplaceEdit,
  position: number,
): void {
  if (!Array.isArray(summarizedSystems)) throw invalid(position, 'its "summarizes" is not an array');
  const [from, to] = [replaced[0]?.from ?? 0, replaced.at(-1)?.to ?? 0];
  const leading = leadingSystems(messages);
  for (const at of summarizedSystems as readonly unknown[]) {
    if (!Number.isInteger(at) || (at as number) < from || (at as number) >= to || !isSystem(messages[at as number]!))
      throw invalid(position, `it summarizes message ${at}, which is not a system message in its groups`);
    if ((at as number) < leading) throw invalid(position, `it summarizes message ${at}, a leading system message`);
  }
}

function invalid(position: number, what: string): PalimpsestError {
  return new PalimpsestError('PLAN_INVALID', `Edit ${position} of the plan cannot be applied: ${what}.`, {
    edit: position,
  });
}

function conflict(what: string, edits: readonly number[]): PalimpsestError {
  return new PalimpsestError('PLAN_CONFLICT', `Edits ${edits.join(' and ')} contradict each other: ${what}.`, {
    edits,
  });
}
