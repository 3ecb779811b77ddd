import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { oneLine } from '../one-line.ts';
import { usePage } from '../page.ts';
import { placeBelow } from '../place-popover.ts';

/** What the page shows, as files: transcripts as compacted, a report, and a link. */
export function ExportMenu(): JSX.Element {
  const { store, state, opened, engines } = usePage();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [done, setDone] = useState('');
  const stem = opened.id.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60) || 'session';
  const request = state.turn === null ? '' : `-request-${state.turn + 1}`;
  const save = async (name: string, data: () => Promise<Blob | null>): Promise<void> => {
    try {
      const blob = await data();
      if (blob) download(name, blob);
      setDone(blob ? `Saved ${name}` : `${name} cannot be made yet; wait for the engines and try again`);
    } catch (error) {
      setDone(`${name} could not be made: ${oneLine(error)}`);
    }
    menu.current?.hidePopover();
  };
  const copyLink = async (): Promise<void> => {
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    setDone(isCopied ? 'Link copied' : 'The link is in the address bar');
    menu.current?.hidePopover();
  };
  return (
    <>
      <button ref={button} type="button" class="button" popovertarget={id}>
        Export
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        popover="auto"
        onToggle={(event) => placeBelow(event.currentTarget, button.current)}
      >
        {engines.map(([engine]) => (
          <button
            key={engine}
            type="button"
            onClick={() =>
              void save(`${stem}-${engine}${request}.json`, async () => {
                const text = await store.writeCompacted(engine);
                return text === null ? null : new Blob([text], { type: 'application/json' });
              })
            }
          >
            Transcript compacted by {engine} (JSON)
          </button>
        ))}
        <button
          type="button"
          onClick={() =>
            void save(`${stem}.html`, async () => {
              const text = await store.report(engines.map(([engine]) => engine));
              return text === null ? null : new Blob([text], { type: 'text/html' });
            })
          }
        >
          Report of the whole session (HTML)
        </button>
        <button type="button" onClick={() => void copyLink()}>
          Copy a link to this view
        </button>
      </div>
      <span class="soft hint" aria-live="polite">
        {done}
      </span>
    </>
  );
}

/** Offers data to the user as a file. Nothing is sent. */
function download(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the data after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
