import { count } from '@palimpsest/command-line/count';
import { configFor, type EngineSettings } from '@palimpsest/comparison/engine-settings';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Scrolling } from './scrolling.tsx';

const command = 'npm install @palimpsest/registry';

/** Installation instructions, with code for the current settings. */
export function Install({
  engine,
  settings,
}: {
  readonly engine: string;
  readonly settings: EngineSettings;
}): JSX.Element {
  const [copied, setCopied] = useState(false);
  return (
    <section id="install" class="install" aria-label="Use it">
      <h2>Use this in your agent</h2>
      <div class="command">
        <code>{command}</code>
        <button
          type="button"
          class="button"
          onClick={() =>
            void navigator.clipboard?.writeText(command).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }
        >
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <Scrolling label="Example" className="code">
        <pre>{example(engine, settings)}</pre>
      </Scrolling>
    </section>
  );
}

function example(engine: string, settings: EngineSettings): string {
  const own = configFor(engine, settings).engines?.[engine] as object | undefined;
  const turned = own && Object.keys(own).length > 0 ? `, engines: { '${engine}': ${inCode(own)} }` : '';
  const target = settings.targetTokens === null ? '' : `, { targetTokens: ${inCode(settings.targetTokens)} }`;
  return `import { createEngineHost, createRegistry } from '@palimpsest/registry';

const config = { engine: '${engine}'${turned} };
const engine = await createRegistry().create(config, createEngineHost());
await engine.updateModel({ id: 'your-model', contextLength: ${inCode(settings.windowTokens)} });

// In your loop, before each request; \`promptTokens\` is the provider's last count.
if (engine.shouldCompress(promptTokens)) {
  const { messages } = await engine.compress(history${target});
}`;
}

function inCode(value: unknown): string {
  if (typeof value === 'number') return value >= 1000 ? count(value).replaceAll(',', '_') : String(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, inside]) => `${name}: ${inCode(inside)}`)
    .join(', ')} }`;
}
