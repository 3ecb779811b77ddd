import { listModels } from 'tokenlens';
import { expect, it } from 'vitest';
import { readModelName } from '../src/models/model-name.ts';

interface Listed {
  readonly id: string;
  readonly context?: Partial<Record<'combinedMax' | 'inputMax' | 'outputMax', number>>;
  readonly pricing?: Partial<
    Record<'inputPerMTokens' | 'outputPerMTokens' | 'cacheReadPerMTokens' | 'cacheWritePerMTokens', number>
  >;
}

/** Vendors whose own listing takes precedence over a reseller's, whose limits may be lower. */
const makers = new Set([
  'anthropic',
  'openai',
  'google',
  'deepseek',
  'mistral',
  'xai',
  'alibaba',
  'moonshotai',
  'zhipuai',
  'meta',
  'llama',
  'cohere',
]);

/** The newest data of the package `tokenlens`: one row for each normalized name. */
function rows(): string[] {
  const known = new Map<string, { readonly rank: number; readonly window: number; readonly row: string }>();
  for (const { id, context = {}, pricing = {} } of listModels({}) as readonly Listed[]) {
    const window = context.combinedMax ?? context.inputMax;
    if (!window) continue;
    const [provider = '', ...rest] = id.split(':');
    const { name } = readModelName(rest.join(':') || provider);
    const rank = makers.has(provider) ? 1 : 0;
    const other = known.get(name);
    if (other && (other.rank > rank || (other.rank === rank && other.window >= window))) continue;
    const { inputPerMTokens: input, outputPerMTokens: output } = pricing;
    const { cacheReadPerMTokens: read = input, cacheWritePerMTokens: write = input } = pricing;
    const prices = input && output ? [input, output, read, write] : [];
    const figures = [window, context.inputMax ?? 0, context.outputMax ?? 0, ...prices];
    known.set(name, { rank, window, row: `    "${name}": [${figures.join(', ')}]` });
  }
  return [...known.values()].map(({ row }) => row).sort();
}

const head = `{
  "writtenBy": "pnpm vitest run packages/tokens/test/model-table.test.ts --update",
  "source": "the package tokenlens",
  "models": {
`;

it('has what the package tokenlens lists', async () => {
  await expect(`${head}${rows().join(',\n')}\n  }\n}\n`).toMatchFileSnapshot('../src/models/models.json');
});
