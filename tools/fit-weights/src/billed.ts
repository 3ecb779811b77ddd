import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Message } from '@palimpsest/core';
import { type Prices, priceMessage } from '../../../packages/tokens/src/counter/message-cost.ts';
import { hashName } from './samples.ts';

/** A prompt, or the growth of one, with its billed tokens. */
export interface Billed {
  readonly source: 'growth' | 'request' | 'cassette';
  readonly id: string;
  readonly model: string;
  readonly tokens: number;
  readonly messages: readonly Message[];
  readonly system?: unknown;
  readonly tools?: readonly unknown[] | undefined;
  /** False if the request has options that its messages do not show: thinking, a response format, a task budget. */
  readonly plain: boolean;
}

/** The texts of a prompt, and the number of each billed envelope element. */
export interface Billables {
  readonly texts: readonly string[];
  readonly messages: number;
  readonly calls: number;
  readonly results: number;
}

const none = { message: 0, call: 0, result: 0, request: 0, tools: 0, tool: 0, schema: 0 };

/** Splits a prompt exactly as the counter prices it. */
export function billables(messages: readonly Message[]): Billables {
  const texts: string[] = [];
  const collect = (text: string): number => {
    texts.push(text);
    return 0;
  };
  const sum = (prices: Prices): number =>
    messages.reduce((total, message) => total + priceMessage(message, prices).text, 0);
  sum({ text: collect, binary: () => 0, envelope: none });
  const count = (part: Partial<typeof none>): number =>
    sum({ text: () => 0, binary: () => 0, envelope: { ...none, ...part } });
  return { texts, messages: count({ message: 1 }), calls: count({ call: 1 }), results: count({ result: 1 }) };
}

const readLines = <T>(path: string): T[] =>
  existsSync(path)
    ? gunzipSync(readFileSync(path))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as T)
    : [];

interface Growth {
  id: string;
  model: string;
  from_message: number;
  to_message: number;
  tokens: number;
}
interface Recorded {
  model: string;
  prompt_tokens: number;
  source: string;
  api?: string;
  host?: string;
  text_only?: boolean;
  request: { messages: Message[]; system?: unknown; tools?: unknown[]; thinking?: unknown; output_config?: unknown };
}

/** Reads every billed prompt with available text under `<dataFolder>/tokens`, for the models that `model` matches. */
export function readBilled(dataFolder: string, model: RegExp, api: string): Billed[] {
  const found: Billed[] = [];
  const transcripts = new Map<string, Message[]>();
  for (const growth of readLines<Growth>(`${dataFolder}/tokens/prefix_deltas.jsonl.gz`)) {
    const path = `${dataFolder}/transcripts/${growth.id}.json`;
    if (!model.test(growth.model) || !existsSync(path)) continue;
    let messages = transcripts.get(growth.id);
    if (!messages)
      transcripts.set(
        growth.id,
        (messages = (JSON.parse(readFileSync(path, 'utf8')) as { messages: Message[] }).messages),
      );
    found.push({
      source: 'growth',
      id: growth.id,
      model: growth.model,
      tokens: growth.tokens,
      messages: messages.slice(growth.from_message, growth.to_message),
      plain: true,
    });
  }
  for (const [source, file] of [
    ['request', 'anthropic_requests'],
    ['cassette', 'cassettes'],
  ] as const) {
    for (const row of readLines<Recorded>(`${dataFolder}/tokens/${file}.jsonl.gz`)) {
      if (
        !model.test(row.model) ||
        (source === 'cassette' && (row.api !== api || !row.text_only || !Array.isArray(row.request.messages)))
      )
        continue;
      const { messages, system, tools, thinking, output_config: output } = row.request;
      if (row.host?.includes('bedrock')) continue;
      found.push({
        source,
        id: row.source,
        model: row.model,
        tokens: row.prompt_tokens,
        messages,
        system,
        tools,
        plain: !thinking && !output,
      });
    }
  }
  return found;
}

/** Returns true for the half of the bills that may be used for fitting, by name of the session or recording. */
export const mayFit = (row: Billed): boolean => (hashName(row.id) & 1) === 0;
