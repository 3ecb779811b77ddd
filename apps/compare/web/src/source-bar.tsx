import { samples } from 'virtual:samples';
import { count, counted } from '@palimpsest/command-line/count';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { StoreState } from './store/store.ts';

interface SourceBarProps {
  readonly state: StoreState;
  /** The file name of the sample shown; `null` for the user's own file. */
  readonly sample: string | null;
  /** The sample that is loading; `null` when none is. */
  readonly awaited: string | null;
  onSample(file: string): void;
  onFile(file: File): void;
  onOrdinal(ordinal: number): void;
}

/** Selects the transcript: a recorded sample or the user's own file. */
export function SourceBar({ state, sample, awaited, onSample, onFile, onOrdinal }: SourceBarProps): JSX.Element {
  const chooser = useRef<HTMLInputElement>(null);
  const { opened, reading, problem } = state;
  const about = samples.find(({ file }) => file === sample);
  return (
    <section class="source" aria-label="Session">
      <div class="source-row">
        <label class="field sample">
          <span class="unseen">Session</span>
          <select value={awaited ?? sample ?? ''} onChange={(event) => onSample(event.currentTarget.value)}>
            {sample === null && <option value="">{opened?.file ?? 'your file'}</option>}
            {samples.map(({ file, title, messages }) => (
              <option key={file} value={file}>{`${counted(messages, 'message')}: ${title}`}</option>
            ))}
          </select>
        </label>
        <button type="button" class="button" onClick={() => chooser.current?.click()}>
          Open a file
        </button>
        <span class="soft hint">or drop one anywhere on the page</span>
        <input
          ref={chooser}
          id="file"
          type="file"
          accept=".json,.jsonl,.ndjson,application/json"
          aria-label="Open a transcript"
          tabIndex={-1}
          hidden
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            // Reset, so that the same file can be chosen again after a change.
            event.currentTarget.value = '';
            if (file) onFile(file);
          }}
        />
      </div>
      <p class="soft about">
        {about?.description ?? (opened ? `${opened.id}, read in this page. No data was sent anywhere.` : '')}
      </p>
      {opened && (opened.more || opened.ordinal > 0) && (
        <div class="source-row">
          <button
            type="button"
            class="button"
            disabled={opened.ordinal === 0 || reading}
            onClick={() => onOrdinal(opened.ordinal - 1)}
          >
            Previous transcript
          </button>
          <span class="soft">transcript {count(opened.ordinal + 1)} of the file</span>
          <button
            type="button"
            class="button"
            disabled={!opened.more || reading}
            onClick={() => onOrdinal(opened.ordinal + 1)}
          >
            Next transcript
          </button>
        </div>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
    </section>
  );
}
