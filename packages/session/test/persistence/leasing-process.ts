import { fileStore } from '../../src/file-store.ts';

/** A process that takes a lease, says so, and waits until it is killed. */
const [folder] = process.argv.slice(2) as [string];
const release = await fileStore(folder).lease('page', 200_000);
console.log(release ? 'taken' : 'refused');
setInterval(() => undefined, 1_000);
