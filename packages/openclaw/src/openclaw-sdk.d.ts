/** The module that OpenClaw offers for its store, as far as the plugin uses it. */
declare module 'openclaw/plugin-sdk/session-transcript-runtime' {
  export const readSessionTranscriptEvents: import('./openclaw-api.ts').ReadEvents;
}
