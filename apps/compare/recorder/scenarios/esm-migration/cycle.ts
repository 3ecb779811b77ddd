import { edit, read, run, runFailing } from '../../call.ts';
import type { Session } from '../../session.ts';
import { commit, repoint } from './convert.ts';
import { moduleEdits } from './module-edits.ts';

/** Converts emitter and queue, which require each other: with static imports, their evaluation order matters. */
export async function convertEmitterAndQueue(session: Session): Promise<void> {
  const [emitter, queue] = (
    await session.act(
      'Now the circle: emitter requires queue at its end, queue extends Emitter. They can only move together. Reading both again before I touch them, and their tests.',
      read('src/emitter.cjs'),
      read('src/queue.cjs'),
      read('test/emitter.test.js'),
      read('test/queue.test.js'),
    )
  ).map((numbered) => `${numbered.replace(/^ *\d+\t/gm, '')}\n`);
  await session.act(
    'First the obvious translation: the require at the end becomes an import at the top.',
    run(repoint('emitter')),
    run(repoint('queue')),
    ...moduleEdits('src/queue.js', queue!.replace('./emitter.cjs', './emitter.js')),
    ...moduleEdits('src/emitter.js', emitter!),
    edit(
      'src/emitter.js',
      "\n// Below the export: the queue extends Emitter, and is only needed once something is emitted in order.\nconst { Queue } = require('./queue.js');\n",
      '',
    ),
    edit('src/emitter.js', '/** Events with one', "import { Queue } from './queue.js';\n\n/** Events with one"),
  );
  await session.act(null, run('node test/queue.test.js'), runFailing(1, 'node test/emitter.test.js'));
  await session.act(
    "As feared: whoever imports emitter first gets queue evaluated first, and `class Queue extends Emitter` meets Emitter before it exists. queue first works, emitter first does not, which is the kind of failure that depends on a consumer's import order. `emitInOrder` already returns a promise, so it can load the queue when it is needed.",
    edit('src/emitter.js', "import { Queue } from './queue.js';\n\n", ''),
    edit(
      'src/emitter.js',
      '  emitInOrder(event, ...values) {\n    this.queue ??= new Queue({ concurrency: 1 });\n    return this.queue.add(() => this.emit(event, ...values));\n  }',
      "  async emitInOrder(event, ...values) {\n    // The queue extends Emitter: imported above, it would be evaluated before this class exists.\n    const { Queue } = await import('./queue.js');\n    this.queue ??= new Queue({ concurrency: 1 });\n    return this.queue.add(() => this.emit(event, ...values));\n  }",
    ),
  );
  await session.act(
    null,
    run('node test/emitter.test.js'),
    run('node test/queue.test.js'),
    run(
      "node --input-type=module -e \"import '/home/dev/kitbag/src/emitter.js'; import '/home/dev/kitbag/src/queue.js'; console.log('emitter first: ok')\"",
    ),
    run(
      "node --input-type=module -e \"import '/home/dev/kitbag/src/queue.js'; import '/home/dev/kitbag/src/emitter.js'; console.log('queue first: ok')\"",
    ),
  );
  await session.act(
    'Both orders load. Does `emitInOrder` keep the order when many calls race for the first import? Each call awaits the same module promise, so yes, but I would rather see it.',
    run(
      "node --input-type=module -e \"import { Emitter } from '/home/dev/kitbag/src/emitter.js'; const e = new Emitter(); const seen = []; e.on('x', (n) => seen.push(n)); await Promise.all(Array.from({ length: 1000 }, (_, n) => e.emitInOrder('x', n))); console.log(seen.length, seen.every((n, i) => n === i))\"",
    ),
    read('src/emitter.js', 40, 14),
  );
  await session.act(
    'In order, all of them. One commit for the two, since neither works alone. Then the whole suite.',
    run(commit('Convert emitter and queue together; the circle is cut by a late import')),
    run('node --test test/'),
    run('npm run --silent check'),
  );
}
