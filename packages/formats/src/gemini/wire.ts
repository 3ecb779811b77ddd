import { isRecord } from '@palimpsest/core/authoring';
import type { Codec } from '../codec.ts';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { pathPart } from '../wire/path-part.ts';
import type { Body, Wire } from '../wire/wire.ts';
import { geminiAnswers } from './answer.ts';
import { gemini } from './codec.ts';
import { hasDeclarations, obstaclesIn } from './obstacles.ts';
import { fieldIn, nameIn } from './part.ts';

/** A tool as the Gemini API takes it. */
export interface GeminiTool {
  readonly functionDeclarations: readonly {
    readonly name: string;
    readonly description?: string;
    readonly parametersJsonSchema: Record<string, unknown>;
  }[];
}

/** Least thinking budget that all models accept, in tokens. */
const minThinkingTokens = 512;

/** Fields of `generationConfig` that ask for something other than one text. */
const ofForm = /^(?:response|candidate|stop|speech|image|presence|frequency)/;

/** The Gemini API, also on Vertex. */
export const geminiWire: Wire<GeminiTool> = {
  name: 'gemini',
  codec: gemini as unknown as Codec<Body>,
  list: 'contents',
  isAddress: ({ pathname }) => /:(?:streamG|g)enerateContent$/.test(pathname),
  itemsOf: ({ contents }) => (Array.isArray(contents) ? recordsIn(contents) : null),
  factsOf(body, { pathname }) {
    const cached = fieldIn(body, 'cachedContent');
    const budget = thinkingIn(body).tokens;
    return {
      model: modelIn(pathname),
      tools: recordsIn(body.tools).flatMap((tool) =>
        hasDeclarations(tool) ? recordsIn(fieldIn(tool, 'functionDeclarations')) : [tool],
      ),
      maxTokens: numberIn(configIn(body), 'maxOutputTokens'),
      // Thoughts count towards the cap. Minimal thinking, and as much text.
      minTokens: budget === undefined || budget <= 0 ? undefined : minThinkingTokens * 2,
      isStreamed: pathname.endsWith(':streamGenerateContent'),
      // The prompt, tools and first contents are in the cache, so the request must stay what was written behind them.
      continues: typeof cached === 'string' && cached !== '' ? 'cachedContent' : undefined,
      identity: [],
    };
  },
  withCap,
  wholeHistoryError: () => null,
  userMessage,
  question(body, text) {
    const {
      tools: _,
      contents: __,
      ...rest
    } = without(body, ['toolConfig', 'cachedContent', 'generationConfig', 'continuationToken']);
    const config = Object.entries(configIn(body)).filter(([name]) => !ofForm.test(name));
    return {
      ...rest,
      contents: [userMessage(text)],
      ...(config.length > 0 && { generationConfig: Object.fromEntries(config) }),
    };
  },
  declareTool: ({ function: { name, description, parameters } }) => ({
    functionDeclarations: [
      {
        name,
        ...(description === undefined ? {} : { description }),
        parametersJsonSchema: { type: 'object', ...parameters },
      },
    ],
  }),
  withTools(body, tools) {
    const given: readonly unknown[] = Array.isArray(body.tools) ? body.tools : [];
    const at = given.findIndex((tool) => isRecord(tool) && hasDeclarations(tool));
    const own = tools.flatMap((tool) => recordsIn(fieldIn(fieldsIn(tool), 'functionDeclarations')));
    if (at < 0) return { ...body, tools: [{ functionDeclarations: own }, ...given] };
    // Vertex accepts only one tool with functions.
    const tool = fieldsIn(given[at]);
    const name = nameIn(tool, 'functionDeclarations');
    return { ...body, tools: given.with(at, { ...tool, [name]: [...own, ...recordsIn(tool[name])] }) };
  },
  withoutCalls(body) {
    const config = fieldsIn(fieldIn(body, 'toolConfig'));
    const calling = { [nameIn(config, 'functionCallingConfig')]: { mode: 'NONE' } };
    return { ...body, [nameIn(body, 'toolConfig')]: { ...config, ...calling } };
  },
  obstaclesIn,
  answers: geminiAnswers,
};

function modelIn(pathname: string): string | undefined {
  const found = /\/(?:models|tunedModels|endpoints)\/([^:/]+):/.exec(pathname)?.[1];
  return found === undefined ? undefined : pathPart(found);
}

function userMessage(text: string): Fields {
  return { role: 'user', parts: [{ text }] };
}

function configIn(body: Body): Fields {
  return fieldsIn(fieldIn(body, 'generationConfig'));
}

/** The thinking configuration, and its budget: 0 turns thinking off, -1 leaves it to the model. */
function thinkingIn(body: Body): { readonly config: Fields; readonly tokens: number | undefined } {
  const config = fieldsIn(fieldIn(configIn(body), 'thinkingConfig'));
  return { config, tokens: numberIn(config, 'thinkingBudget') };
}

function withCap(body: Body, cap: number): Body {
  const config = configIn(body);
  const { config: thinking, tokens = 0 } = thinkingIn(body);
  const budget = Math.max(minThinkingTokens, Math.floor(cap / 2));
  const lowered = { ...thinking, [nameIn(thinking, 'thinkingBudget')]: budget };
  return {
    ...body,
    [nameIn(body, 'generationConfig')]: {
      ...config,
      [nameIn(config, 'maxOutputTokens')]: cap,
      ...(tokens >= cap && { [nameIn(config, 'thinkingConfig')]: lowered }),
    },
  };
}

function without(body: Body, names: readonly string[]): Body {
  const left = new Set(names.map((name) => nameIn(body, name)));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !left.has(name)));
}

function numberIn(fields: Fields, name: string): number | undefined {
  const value = fieldIn(fields, name);
  return typeof value === 'number' ? value : undefined;
}
