import { count } from '@palimpsest/command-line/count';
import { configFor, type EngineSettings } from 'palimpsest/replay/engine-settings';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import { usePage } from './page.ts';
import { Scrolling } from './scrolling.tsx';
import { useVerdict } from './verdict-line.tsx';

/** The engine that needs no option. */
const usual = 'compressor';

/** How to use the recommended engine with the current settings: with an agent, and in code. */
export function Install(): JSX.Element {
  const { state, engines } = usePage();
  const { settings } = state;
  const engine = useVerdict().best ?? (engines.some(([name]) => name === usual) ? usual : (engines[0]?.[0] ?? usual));
  const id = useId();
  const run = `npx palimpsest run ${engine === usual ? '' : `--engine ${engine} `}-- claude`;
  return (
    // Focused by the button in the masthead.
    <section id="install" class="install" tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>Use {engine} in your agent</h2>
      <div class="command">
        <code>{run}</code>
        <CopyButton text={run} />
      </div>
      <p class="soft">
        Or in the agent that you build, after npm install palimpsest
        {settings.targetTokens !== null && ' (a session chooses its targets itself)'}:
      </p>
      <Scrolling label="Example" className="code">
        <pre>{example(engine, settings)}</pre>
      </Scrolling>
    </section>
  );
}

function example(engine: string, settings: EngineSettings): string {
  const { engines = {} } = configFor(engine, settings);
  const own = engines[engine] as object | undefined;
  const options =
    own && Object.keys(own).length > 0
      ? `{ engine: '${engine}', engines: { '${engine}': ${inCode(own)} } }`
      : `'${engine}'`;
  const parts = [
    `model: { id: 'gpt-5', contextLength: ${inCode(settings.windowTokens)} }`,
    ...(options === `'${usual}'` ? [] : [`engine: ${options}`]),
  ];
  return `import OpenAI from 'openai';
import { createContextFetch } from 'palimpsest';

const fetch = await createContextFetch({ ${parts.join(', ')} });
const client = new OpenAI({ fetch });`;
}

function inCode(value: unknown): string {
  if (typeof value === 'number') return value >= 1000 ? count(value).replaceAll(',', '_') : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, inside]) => `${name}: ${inCode(inside)}`)
    .join(', ')} }`;
}
