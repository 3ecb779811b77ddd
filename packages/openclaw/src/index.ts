import { pluginId } from './context-engine.ts';
import type { OpenclawApi, ReadEvents } from './openclaw-api.ts';
import { register } from './plugin.ts';

export type { OpenclawApi } from './openclaw-api.ts';
export type { OpenclawPluginOptions } from './plugin.ts';

/** OpenClaw offers its modules to the plugins that it loads. */
const readStoredEvents: ReadEvents = async (session) => {
  const { readSessionTranscriptEvents }: { readonly readSessionTranscriptEvents: ReadEvents } =
    // @ts-expect-error: OpenClaw has over 600 megabytes, and is not installed here.
    await import('openclaw/plugin-sdk/session-transcript-runtime');
  return readSessionTranscriptEvents(session);
};

/** The plugin, as OpenClaw loads it from the package. */
const plugin: {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: 'context-engine';
  readonly register: (api: OpenclawApi) => void;
} = {
  id: pluginId,
  name: 'Palimpsest',
  description: "Keeps conversations inside the model's context window, and lets the agent search what was removed.",
  kind: 'context-engine',
  register: (api) => register(api, readStoredEvents),
};
export default plugin;
