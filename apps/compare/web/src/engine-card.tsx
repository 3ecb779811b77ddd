import { count } from '@palimpsest/command-line/count';
import { remarksOn } from '@palimpsest/comparison/remarks';
import type { EngineRow } from '@palimpsest/comparison/run-engine';
import { isBroken } from '@palimpsest/comparison/run-engine';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Selection } from './selection.ts';
import type { EngineAnswers } from './store/store.ts';
import { Strip } from './strip/strip.tsx';
import { outcomeOf, outputWords } from './words.ts';
import type { EngineView } from './worker/runner.ts';

interface EngineCardProps {
  readonly engine: string;
  readonly place: string;
  readonly answers: EngineAnswers;
  /** True if the settings have changed since these figures. */
  readonly stale: boolean;
  readonly selection: Selection;
  sourceWords(index: number): string;
  onLook(selection: Selection, chosen: boolean): void;
  onLeave(): void;
}

/** One engine: its figures, the outcome of every message, and its output. */
export function EngineCard(props: EngineCardProps): JSX.Element {
  const { engine, place, answers, stale } = props;
  const view = answers.view;
  return (
    <article class={`engine ${place}`} aria-labelledby={`engine-${engine}`} aria-busy={stale} data-engine={engine}>
      <header>
        <h3 id={`engine-${engine}`}>{engine}</h3>
        {answers.row && <Figures row={answers.row} />}
      </header>
      {answers.problem !== null && <p class="problem">{`${engine} could not be run: ${answers.problem}`}</p>}
      {view && view.outcomes.length > 0 && <EngineStrips {...props} view={view} />}
      {answers.row && remarksOn(answers.row).map((remark) => <p class="remark">{remark}</p>)}
    </article>
  );
}

function EngineStrips({
  engine,
  view,
  selection,
  sourceWords,
  onLook,
  onLeave,
}: EngineCardProps & { readonly view: EngineView }): JSX.Element {
  const [before, after] = useMemo(() => [view.outcomes, view.output].map(sumOf), [view]);
  const { index, written } = selection;
  const inOutput = written?.engine === engine ? written.at : (view.outcomes[index]?.at ?? null);
  return (
    <>
      <Strip
        label={`${engine}: the outcome of every message`}
        kind="outcome"
        blocks={view.outcomes}
        scale={before!}
        selected={index}
        words={(at) => `${sourceWords(at)}, ${outcomeOf(view, at)}`}
        onLook={(at, chosen) => onLook({ index: at, written: null }, chosen)}
        onLeave={onLeave}
      />
      <Strip
        label={`${engine}: what is left`}
        kind="output"
        blocks={view.output}
        scale={Math.max(before!, after!)}
        selected={inOutput}
        words={(at) => outputWords(view, at)}
        onLook={(at, chosen) => {
          const block = view.output[at]!;
          onLook({ index: block.from, written: block.look === 'inserted' ? { engine, at } : null }, chosen);
        }}
        onLeave={onLeave}
      />
    </>
  );
}

function Figures({ row }: { readonly row: EngineRow }): JSX.Element {
  const { userMessages, anchors } = row.kept;
  const request = row.lastRequestKept === null ? 'none' : row.lastRequestKept ? 'kept' : 'LOST';
  const figures: readonly (readonly [name: string, value: string, bad?: boolean])[] = [
    ['threshold', `${count(row.thresholdTokens)}${row.reachedThreshold ? '' : ' (not reached)'}`],
    ['fits the window', row.fitsWindow ? 'yes' : 'NO', !row.fitsWindow],
    ['messages', `${count(row.messagesBefore)} → ${count(row.messagesAfter)}`],
    ['last phase', row.phaseThatWasEnough ?? row.outcome],
    ['model calls', count(row.modelCalls)],
    ['request', request, row.lastRequestKept === false],
    ['user messages', shareOf(userMessages)],
    ['anchors', shareOf(anchors)],
    ['violations', count(row.wireViolations), row.wireViolations > 0],
    ['time', `${row.milliseconds < 10 ? row.milliseconds.toFixed(1) : count(row.milliseconds)} ms`],
  ];
  return (
    <>
      <p class="headline">
        <span class="after">{count(row.tokensAfter)}</span> tokens left
        <span class={`saved ${row.savedPercent > 0 ? '' : 'nothing'}`}>
          {row.savedPercent > 0 ? `−${row.savedPercent.toFixed(1)} %` : '±0 %'}
        </span>
      </p>
      <dl class={`figures${isBroken(row) ? ' broken' : ''}`}>
        {figures.map(([name, value, bad]) => (
          <div key={name} class={bad ? 'bad' : ''}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function sumOf(blocks: readonly { readonly tokens: number }[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0);
}

function shareOf({ kept, of }: { readonly kept: number; readonly of: number }): string {
  return of === 0 ? 'none' : `${count(kept)} of ${count(of)}`;
}
