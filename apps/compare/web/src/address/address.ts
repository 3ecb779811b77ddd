import { defaultSettings, type EngineSettings } from 'palimpsest/replay/engine-settings';

/** What the page's address holds after `#`. Missing parts keep the page's defaults. */
export interface PageAddress {
  /** The file name of a sample, or of the user's own file. */
  readonly session?: string;
  /** Which transcript of the file. */
  readonly ordinal?: number;
  readonly settings: Partial<EngineSettings>;
  /** Index of the request; the last one if missing. */
  readonly turn?: number;
  /** Index of the selected message. */
  readonly message?: number;
}

const limits: Readonly<Record<keyof EngineSettings, readonly [name: string, least: number, most: number]>> = {
  windowTokens: ['window', 1_000, 10_000_000],
  threshold: ['threshold', 0.1, 0.95],
  protectTokens: ['protect', 1, 10_000_000],
  targetTokens: ['target', 1, 10_000_000],
};

const settingNames = Object.keys(defaultSettings) as (keyof EngineSettings)[];
const maxNameLength = 300;
const maxItems = 10_000_000;

/** Reads an address, which anyone may have written: parts that are out of range are ignored. */
export function readAddress(hash: string): PageAddress {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const session = parts.get('session');
  const ordinal = indexIn(parts, 'transcript');
  const turn = indexIn(parts, 'request');
  const message = indexIn(parts, 'message');
  return {
    ...(session && session.length <= maxNameLength ? { session } : {}),
    ...(ordinal === null ? {} : { ordinal }),
    settings: Object.fromEntries(
      settingNames.flatMap((setting) => {
        const [name, least, most] = limits[setting];
        const value = Number(parts.get(name) ?? Number.NaN);
        const isValid = value >= least && value <= most && (setting === 'threshold' || Number.isInteger(value));
        return isValid ? [[setting, value]] : [];
      }),
    ),
    ...(turn === null ? {} : { turn }),
    ...(message === null ? {} : { message }),
  };
}

/** Writes an address. Transcripts, requests and messages are counted from 1, as on the page. */
export function writeAddress({ session, ordinal, settings, turn, message }: PageAddress): string {
  const parts = new URLSearchParams();
  if (session !== undefined) parts.set('session', session);
  if (ordinal) parts.set('transcript', String(ordinal + 1));
  for (const setting of settingNames) {
    const value = settings[setting];
    if (value !== null && value !== undefined) parts.set(limits[setting][0], String(value));
  }
  if (turn !== undefined) parts.set('request', String(turn + 1));
  if (message !== undefined) parts.set('message', String(message + 1));
  return `#${parts}`;
}

/** An index from a number counted from 1; `null` if it is missing or none. */
function indexIn(parts: URLSearchParams, name: string): number | null {
  const value = Number(parts.get(name) ?? Number.NaN);
  return Number.isInteger(value) && value >= 1 && value <= maxItems ? value - 1 : null;
}
