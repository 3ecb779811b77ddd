import { isSystem, type Message } from '@palimpsest/core';
import { cutShares, cutsOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { type OpenPeers, openPeers } from '../peers/open-peers.ts';
import { recallNotRun, recallPeers } from '../peers/peer-list.ts';
import { type IndexMemory, measureIndexMemory, measureSessionMemory } from '../recall/measure-memory.ts';
import { measureRecall, type RecallPoint, recallBudgets } from '../recall/measure-recall.ts';
import { measureRecallSpeed, type RecallSpeed } from '../recall/measure-speed.ts';
import { factsTable, memoryTables, peerNotes, type RecallRow, rowsOf, speedTable } from '../recall/report.ts';
import { largestAnswer, ourRetrieval, peerRetrieval, type Retrieval } from '../recall/retrieval.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';

/** Required share of facts at each of {@link recallBudgets}, for the agent that asks once with up to six names. */
const leastFacts = [0.8, 0.86] as const;
const mostSearches = 25;
/** The compressor and recall. */
const ours = 'compressor and recall';

/** Measures what a compressed context and searches in what is hidden keep together, and how fast recall is. */
export const recall: Section = {
  name: 'recall',
  title: 'Recall: searching what is hidden',
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const transcripts = readTranscripts(dataFolder);
    const points: RecallPoint[] = [];
    let cuts = 0;
    const peers = await openPeers(recallPeers, recallNotRun, !quick);
    const ways = waysOf(peers);
    try {
      for (const transcript of transcripts) {
        const spoken = transcript.messages.filter((message: Message) => !isSystem(message));
        for (const cut of cutsOf(transcript, counter, quick ? [0.55] : cutShares)) {
          if (cut.half !== half) continue;
          cuts++;
          points.push(...(await measureRecall(cut, spoken.slice(cut.past.length), ways, counter)));
        }
        if (quick && cuts >= 4) break;
      }
    } finally {
      peers.close();
    }
    const pool = transcripts.flatMap(({ messages }) => messages);
    const speed = await measureRecallSpeed(pool, quick ? 1000 : 4000, quick ? 3 : 7);
    const indexes = await measureIndexMemory(dataFolder);
    const memory = await measureSessionMemory({ sessions: quick ? 3 : 100, hidden: 4000 });
    const rows = rowsOf(points.filter(({ way }) => !peers.missing.has(way)));
    const tooLarge = points.filter((point) => point.way === ours && point.largestAnswer > largestAnswer);
    return {
      markdown: [
        factsTable(rows, cuts, half, transcriptSource(dataFolder)),
        peerNotes(peers),
        speedTable(speed),
        memoryTables(memory, indexes),
      ].join('\n\n'),
      figures: { half, cuts, rows, missing: Object.fromEntries(peers.missing), speed, indexes, memory },
      broken: tooLarge.map(({ plan }) => `recall (${plan}): an answer had more than ${largestAnswer} tokens`),
      targets: [...(points.length > 0 ? factTargets(rows) : []), ...speedTargets(speed), ...memoryTargets(indexes)],
    };
  },
};

function waysOf(peers: OpenPeers): Readonly<Record<string, Retrieval>> {
  const others = Object.entries(peers.ways).map(
    ([name, keep]) => [name, peerRetrieval(keep, peers.searches[name]!, peers.missing, name)] as const,
  );
  return { [ours]: ourRetrieval, ...Object.fromEntries(others) };
}

function factTargets(rows: readonly RecallRow[]): Target[] {
  return recallBudgets.flatMap((budget, at) => {
    const row = rows.find(
      ({ way, plan, budget: own }) => way === ours && own === budget && plan === 'up to six names',
    )!;
    const size = `${budget * 100} %`;
    return [
      atLeast('recall', `facts at ${size}, with searches`, leastFacts[at]!, row.with, inPercent),
      atMost('recall', `searches at ${size}, a session`, mostSearches, row.searches, inUnit(1)),
    ];
  });
}

function speedTargets({ index, append, search }: RecallSpeed): Target[] {
  return [
    atMost('recall', 'index of 4,000 messages', 300, index, inUnit(0, 'ms')),
    atMost('recall', 'update for one more message', 2, append, inUnit(2, 'ms')),
    atMost('recall', 'one search in 4,000 messages', 10, search, inUnit(2, 'ms')),
  ];
}

/** Random words are no text of a session. */
function memoryTargets(indexes: readonly IndexMemory[]): Target[] {
  return indexes
    .filter(({ kind }) => kind !== 'random short words')
    .map(({ kind, text, index }) => atMost('recall', `index of ${kind}, times the text`, 2, index / text, inUnit(2)));
}
