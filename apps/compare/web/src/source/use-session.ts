import { samples } from 'virtual:samples';
import { del, get, set } from 'idb-keyval';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type PageAddress, readAddress } from '../address/address.ts';
import type { Start, Store } from '../store/store.ts';
import type { Given } from '../worker/open-sample.ts';

/** The session that the page shows, and the ways to open another one. */
export interface Session {
  /** The file name of the sample shown; `null` for the user's own file. */
  readonly sample: string | null;
  /** The sample that is loading; `null` when none is. */
  readonly awaited: string | null;
  /** True if the user's file is stored in this browser. */
  readonly isStored: boolean;
  openSample(file: string): void;
  openFiles(files: readonly File[]): void;
  openText(text: string): void;
  openAddress(address: PageAddress): void;
  /** Removes the user's file from the browser's storage. */
  forget(): void;
}

const pastedName = 'pasted.json';

/** @param store `undefined` until the workers have started */
export function useSession(store: Store | undefined): Session {
  const [sample, setSample] = useState<string | null>(null);
  const [awaited, setAwaited] = useState<string | null>(null);
  const [isStored, setStored] = useState(false);
  const asked = useRef(0);
  // The name of a session changes together with its figures: if loading fails, both stay as they were.
  const open = async (name: string, load: () => Promise<string | Blob>, start: Start = {}): Promise<boolean> => {
    const ask = ++asked.current;
    const isSample = samples.some(({ file }) => file === name);
    setAwaited(isSample ? name : null);
    let isOpen = false;
    try {
      const data = await load();
      if (ask === asked.current && (await store!.open({ name, data }, start))) {
        isOpen = true;
        setSample(isSample ? name : null);
        if (!isSample) void storeFile({ name, data }).then(setStored);
      }
    } catch {
      if (ask === asked.current)
        store!.showProblem(`${name} could not be loaded; check the connection and choose it again`);
    }
    if (ask === asked.current) setAwaited(null);
    return isOpen;
  };
  const openSample = async (file: string, start?: Start): Promise<boolean> => {
    const entry = samples.find((one) => one.file === file);
    return entry ? open(file, async () => (await entry.load()).default, start) : false;
  };
  const openAddress = async ({ session, ...start }: PageAddress): Promise<void> => {
    const first = samples.at(-1)!.file;
    if (session === undefined || samples.some(({ file }) => file === session)) {
      await openSample(session ?? first, start);
      return;
    }
    const stored = await readStoredFile();
    if (stored?.name === session && (await open(session, async () => stored.data, start))) return;
    await openSample(first);
    store!.showProblem(`The link is to "${session}", a file that is not in this browser; open the file`);
  };
  useEffect(() => {
    if (!store) return;
    void openAddress(readAddress(location.hash));
    void readStoredFile().then((stored) => setStored(stored !== null));
  }, [store]);
  return {
    sample,
    awaited,
    isStored,
    openSample: (file) => void openSample(file),
    openFiles(files) {
      const [file] = files;
      if (!file) return;
      void open(file.name, async () => file).then((isOpen) => {
        if (isOpen && files.length > 1)
          store!.showProblem(`${files.length} files were given, but only one is read at a time: ${file.name}`);
      });
    },
    openText: (text) => void open(pastedName, async () => text),
    openAddress: (address) => {
      // The address of a part of the page, such as "#install", names no session.
      if (address.session !== undefined) void openAddress(address);
    },
    forget: () => void forgetFile().then(() => setStored(false)),
  };
}

const key = 'palimpsest: the opened file';

/** Stores the file that is shown, so that the page shows it again after a reload. It stays in this browser. Returns whether it could be stored. */
function storeFile(given: Given): Promise<boolean> {
  return set(key, given).then(
    () => true,
    () => false,
  );
}

/** Reads the stored file. Returns `null` if nothing is stored or the browser has no storage. */
async function readStoredFile(): Promise<Given | null> {
  return (await get<Given>(key).catch(() => undefined)) ?? null;
}

/** Removes the stored file, if any. */
function forgetFile(): Promise<void> {
  return del(key).catch(() => {});
}
