import type { SummarizeResponse, SummaryLine, SummaryTemplate } from '@palimpsest/core';
import { openings } from '../prompt/write-prompt.ts';
import { parseSummary } from '../template/parse-summary.ts';
import { saysNothing } from '../template/says-nothing.ts';
import { ownFailure, type SummaryFailure } from './summary-failure.ts';

/** Number of characters of the prompt's start that identify an answer as a copy. */
const openingLength = 120;

/**
 * The text of an answer, or why it cannot be used. Answers of an offline writer include the lines whose source is
 * known.
 */
export type SummaryAnswer =
  | {
      readonly text: string;
      /** Who wrote it, if the summarizer asked another one. */
      readonly writer?: string | undefined;
      readonly lines?: readonly SummaryLine[];
      readonly hasRecord?: boolean | undefined;
    }
  | { readonly failure: SummaryFailure };

/** Matches the beginning of a refusal. Only checked in answers without headings. */
const refusal: RegExp =
  /^(?:i(?:'|\u2019)?m sorry|i am sorry|sorry|i (?:can(?:'|\u2019)?t|cannot|can not|am unable|am not able|won(?:'|\u2019)?t|must decline)|as an ai|es tut mir leid|ich kann (?:das|dabei|ihnen|dir)? ?nicht|d\u00e9sol\u00e9|je ne peux pas|lo siento|no puedo|\u7533\u3057\u8a33|\u304a\u624b\u4f1d\u3044\u3067\u304d\u307e\u305b\u3093|\u62b1\u6b49|\u5bf9\u4e0d\u8d77|\u6211\u65e0\u6cd5)/i;

/** A shorter text without headings is an answer to something in the turns. Characters. */
const minPageLength = 400;

/** Matches a web page, which a proxy or a login wall may return. */
const page: RegExp = /^\s*(?:<!doctype html|<html[\s>]|<\?xml)/i;

/** What an answer is checked against. */
export interface AnswerContext {
  readonly template: SummaryTemplate;
  readonly countText: (text: string) => number;
  /** Tokens of the messages that the summary replaces. */
  readonly sourceTokens: number;
}

/**
 * Reads a model's answer, without inline reasoning or a fence around all of it. Rejects an answer that is empty, has
 * only empty sections, is cut off, a refusal, a web page, a copy of the prompt, or larger than its source.
 */
export function readAnswer(
  response: SummarizeResponse,
  { template, countText, sourceTokens }: AnswerContext,
): SummaryAnswer {
  const countHeadings = (part: string): number =>
    template.sections.length - parseSummary(part, template).missing.length;
  const text = withoutFence(withoutReasoning(typeof response?.text === 'string' ? response.text : '', countHeadings));
  if (response?.finishReason === 'refusal') return bad('the model refused');
  if (response?.finishReason === 'length') return bad('the answer was cut off by the length limit');
  if (text === '') return bad('the answer was empty');
  if (page.test(text)) return bad('the answer was a web page, not a summary');
  const headings = countHeadings(text);
  if (headings === 0 && refusal.test(text)) return bad('the model refused');
  if (headings === 0 && text.length < minPageLength)
    return bad('the answer has no sections and is too short for a page');
  if (isCopyOfPrompt(text, template)) return bad('the answer repeats the prompt');
  if (isEmptySummary(text, template)) return bad('all sections of the answer are empty');
  if (countText(text) > sourceTokens) return bad('the answer was larger than what it replaces');
  return { text };
}

/** Removes what providers reject in a request: NUL characters and lone surrogates. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '');
}

/** Matches blocks of reasoning in front of a page. */
const reasoning: RegExp = /^(?:<(think|thinking|reasoning|thought|scratchpad)>[\s\S]*?<\/\1>\s*)+/i;
const unclosedReasoning: RegExp = /^<(?:think|thinking|reasoning|thought|scratchpad)>/i;
/** Matches the end of a block whose opening tag the server omitted. */
const endOfReasoning: RegExp = /<\/(?:think|thinking|reasoning)>[ \t]*(?=$|#{1,6} )/im;

/**
 * Removes the reasoning in front of a page, which extends to the end if it is not closed. A tag behind a heading belongs to
 * the page, which may be about such tags.
 */
function withoutReasoning(text: string, countHeadings: (text: string) => number): string {
  const page = text.trim().replace(reasoning, '');
  if (unclosedReasoning.test(page)) return '';
  const end = endOfReasoning.exec(page);
  const rest = end ? page.slice(end.index + end[0].length).trim() : page;
  return countHeadings(rest) < countHeadings(page) ? page : rest;
}

/** Removes a fence around the whole answer. */
function withoutFence(text: string): string {
  const open = /^(`{3,}|~{3,})[a-z]*[ \t]*\n/.exec(text);
  if (!open || !text.endsWith(`\n${open[1]}`)) return text;
  const inner = text.slice(open[0].length, -open[1]!.length - 1);
  return inner.includes(`\n${open[1]}\n`) ? text : inner.trim();
}

function bad(reason: string): SummaryAnswer {
  return { failure: ownFailure('bad-output', reason) };
}

/** True for a summary with headings but no content under them. Sections that only rules write do not count. */
function isEmptySummary(text: string, template: SummaryTemplate): boolean {
  const { preface, sections, missing } = parseSummary(text, template);
  if (missing.length === template.sections.length || !saysNothing(preface)) return false;
  return sections.every((section, index) => template.sections[index]!.byRules || saysNothing(section));
}

/** True for an answer that repeats the start of the prompt, or the instructions for at least half of the sections. */
function isCopyOfPrompt(text: string, template: SummaryTemplate): boolean {
  const flat = flatten(text);
  if (Object.values(openings).some((opening) => flat.includes(opening.slice(0, openingLength)))) return true;
  const asks = template.sections.map(({ ask }) => flatten(ask)).filter((ask) => ask.length > 20);
  return asks.length > 1 && asks.filter((ask) => flat.includes(ask)).length * 2 >= asks.length;
}

function flatten(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
