/// <reference types="vite/client" />

declare module 'virtual:palette.css' {}

declare module 'virtual:samples' {
  /** A recorded session bundled with the page. */
  export interface SampleEntry {
    readonly file: string;
    readonly title: string;
    readonly description: string;
    readonly messages: number;
    load(): Promise<{ readonly default: string }>;
  }
  /** Smallest first. */
  export const samples: readonly SampleEntry[];
}
