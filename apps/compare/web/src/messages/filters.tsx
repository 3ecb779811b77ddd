import type { RoleLook } from '@palimpsest/eval/page/palette';
import { visibleText } from '@palimpsest/eval/page/visible-text';
import { outcomeWords, type SourceBlock } from 'palimpsest/strips/strip-blocks';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { roleWords } from '../words.ts';
import type { MessageFilter } from './message-filter.ts';

interface FiltersProps {
  readonly blocks: readonly SourceBlock[];
  readonly engines: readonly string[];
  readonly filter: MessageFilter;
  onChange(change: Partial<MessageFilter>): void;
}

/** The search field of the message list, and its filters by role, tool and outcome. */
export function Filters({ blocks, engines, filter, onChange }: FiltersProps): JSX.Element {
  const [roles, tools] = useMemo(
    () => [new Set(blocks.map(({ look }) => look)), new Set(blocks.flatMap(({ tool }) => tool ?? []))],
    [blocks],
  );
  return (
    <div class="message-filters">
      <input
        type="search"
        class="search"
        aria-label="Search the messages"
        placeholder="Search the messages"
        value={filter.query}
        onInput={({ currentTarget }) => onChange({ query: currentTarget.value })}
      />
      <select
        aria-label="Role"
        value={filter.role}
        onChange={({ currentTarget }) => onChange({ role: currentTarget.value as RoleLook | '' })}
      >
        <option value="">any role</option>
        {[...roles].map((role) => (
          <option key={role} value={role}>
            {roleWords[role]}
          </option>
        ))}
      </select>
      {tools.size > 0 && (
        <select
          aria-label="Tool"
          value={filter.tool}
          onChange={({ currentTarget }) => onChange({ tool: currentTarget.value })}
        >
          <option value="">any tool</option>
          {[...tools].sort().map((tool) => (
            <option key={tool} value={tool}>
              {visibleText(tool)}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="Outcome"
        value={filter.outcome}
        onChange={({ currentTarget }) => onChange({ outcome: currentTarget.value })}
      >
        <option value="">any outcome</option>
        {engines.map((engine) => (
          <optgroup key={engine} label={engine}>
            {Object.entries(outcomeWords).map(([look, words]) => (
              <option key={look} value={`${engine} ${look}`}>{`${words} (${engine})`}</option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}
