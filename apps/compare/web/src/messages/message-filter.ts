import type { RoleLook } from '@palimpsest/eval/page/palette';
import type { SourceBlock } from 'palimpsest/strips/strip-blocks';
import type { EngineView } from '../worker/runner.ts';

/** What the list of messages is limited to. `''` in a field means no limit. */
export interface MessageFilter {
  readonly query: string;
  readonly role: RoleLook | '';
  readonly tool: string;
  /** An engine and an outcome, as in `compressor summarized`. */
  readonly outcome: string;
}

/** Lets every message through. */
export const noFilter: MessageFilter = { query: '', role: '', tool: '', outcome: '' };

/** A filter without the outcome under an engine that is not shown. */
export function visibleFilter(filter: MessageFilter, engines: readonly string[]): MessageFilter {
  return engines.some((engine) => filter.outcome.startsWith(`${engine} `)) ? filter : { ...filter, outcome: '' };
}

/**
 * The indices of the messages that a filter lets through.
 * @param found the messages whose text contains the query; `null` for all
 */
export function filterMessages(
  blocks: readonly SourceBlock[],
  views: ReadonlyMap<string, EngineView>,
  { role, tool, outcome }: MessageFilter,
  found: readonly number[] | null,
): readonly number[] {
  const [engine = '', look = ''] = outcome.split(' ');
  const outcomes = views.get(engine)?.outcomes;
  const all = found ?? blocks.map((_, index) => index);
  return all.filter((index) => {
    const block = blocks[index];
    if (!block || (role !== '' && block.look !== role) || (tool !== '' && block.tool !== tool)) return false;
    return outcome === '' || outcomes?.[index]?.look === look;
  });
}
