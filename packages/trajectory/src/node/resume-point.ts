import { copyFile, readdir, readFile, rename, stat, truncate } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { type JournalRecord, readJournal } from './journal.ts';
import { isRunningElsewhere } from './process-mark.ts';
import type { ShardPaths } from './shard-paths.ts';
import { removeParts, type ShardParts, shardParts } from './shard-writer.ts';

/** How to handle an unfinished earlier run. */
export type Unfinished = 'resume' | 'restart' | 'refuse';

/**
 * The record from which a run on this machine continues; `null` to start from the beginning.
 * @throws {PalimpsestError} `RUN_UNFINISHED`
 */
export async function ownResumePoint(
  parts: ShardParts,
  fingerprint: string,
  unfinished: Unfinished,
): Promise<JournalRecord | null> {
  const text = await readFile(parts.journal, 'utf8').catch(() => null);
  if (text === null) return null;
  const journal = readJournal(text);
  const refuse = (reason: string): PalimpsestError =>
    new PalimpsestError('RUN_UNFINISHED', `There is an unfinished run at "${parts.journal}": ${reason}.`, {
      file: parts.journal,
      reason,
    });
  if (journal && isRunningElsewhere(journal.header.writer)) throw refuse('another process is still working on it');
  if (unfinished === 'restart') return null;
  if (unfinished === 'refuse') throw refuse('resume it, or restart from the beginning');
  if (journal === null) throw refuse('its journal cannot be read; restart from the beginning');
  if (journal.header.fingerprint !== fingerprint)
    throw refuse('it has other options or another input; use the same ones, or restart');
  return lastGoodRecord(parts, journal.records);
}

/**
 * Takes over the files that other workers left for a shard: copies those with the most progress and removes all. A
 * worker that still writes to one of them then writes to a deleted file, and cannot finish it.
 */
export async function takeOver(
  paths: ShardPaths,
  mine: ShardParts,
  fingerprint: string,
): Promise<JournalRecord | null> {
  let best: { readonly parts: ShardParts; readonly record: JournalRecord } | null = null;
  const all = (await markedParts(paths)).filter(({ journal }) => journal !== mine.journal);
  for (const parts of all) {
    const journal = readJournal(await readFile(parts.journal, 'utf8').catch(() => ''));
    if (journal?.header.fingerprint !== fingerprint) continue;
    const record = await lastGoodRecord(parts, journal.records);
    if (record && record.offset > (best?.record.offset ?? -1)) best = { parts, record };
  }
  if (best) await copyParts(best.parts, mine, best.record).catch(() => (best = null));
  await Promise.all(all.map(removeParts));
  return best?.record ?? null;
}

/** Removes the files that workers left for a finished shard, in case one was killed before it removed them. */
export async function removeAllParts(paths: ShardPaths): Promise<void> {
  await Promise.all((await markedParts(paths)).map(removeParts));
}

/** The temporary files of all workers that started a shard. */
async function markedParts(paths: ShardPaths): Promise<ShardParts[]> {
  const prefix = `${basename(paths.output)}.journal-`;
  return (await readdir(dirname(paths.output)))
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((mark) => /^[\w:-]+$/.test(mark))
    .map((mark) => shardParts(paths, mark));
}

/** The newest record that matches the file sizes. A crash of the machine can lose data that was not yet on disk. */
async function lastGoodRecord(parts: ShardParts, records: readonly JournalRecord[]): Promise<JournalRecord | null> {
  const size = (file: string): Promise<number | null> =>
    stat(file).then(
      ({ size: bytes }) => bytes,
      () => null,
    );
  const [output, metrics, rejects] = await Promise.all([size(parts.output), size(parts.metrics), size(parts.rejects)]);
  const last = records.at(-1);
  // Some files of a finished run may already have their final names.
  if (last?.done) return last;
  return (
    records.findLast(
      ({ outputBytes, metricsBytes, rejectsBytes }) =>
        outputBytes <= (output ?? -1) && metricsBytes <= (metrics ?? -1) && rejectsBytes <= (rejects ?? -1),
    ) ?? null
  );
}

async function copyParts(from: ShardParts, to: ShardParts, record: JournalRecord): Promise<void> {
  const sizes = { output: record.outputBytes, metrics: record.metricsBytes, rejects: record.rejectsBytes };
  for (const name of ['output', 'metrics', 'rejects'] as const) {
    // Copied, because another worker may still write to the file.
    await copyFile(from[name], `${to[name]}.copy`);
    await truncate(`${to[name]}.copy`, sizes[name]);
    await rename(`${to[name]}.copy`, to[name]);
  }
}
