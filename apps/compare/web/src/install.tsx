import { count } from '@palimpsest/command-line/count';
import { configFor, type EngineSettings } from 'palimpsest/comparison/engine-settings';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
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
  const id = useId();
  return (
    // Focused by the button in the masthead.
    <section id="install" class="install" tabIndex={-1} aria-labelledby={id}>
      <h2 id={id}>Use this in your agent</h2>
      <div class="command">
        <code>{command}</code>
        <CopyButton text={command} />
      </div>
      <Scrolling label="Example" className="code">
        <pre>{example(engine, settings)}</pre>
      </Scrolling>
    </section>
  );
}

function example(engine: string, settings: EngineSettings): string {
  const own = configFor(engine, settings).engines?.[engine] as object | undefined;
  const options = own && Object.keys(own).length > 0 ? `, engines: { '${engine}': ${inCode(own)} }` : '';
  const target = settings.targetTokens === null ? '' : `, { targetTokens: ${inCode(settings.targetTokens)} }`;
  return `import { createEngineHost, createRegistry } from '@palimpsest/registry';

const config = { engine: '${engine}'${options} };
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
