import { installMissing } from './install.ts';
import { allPeers } from './peer-list.ts';

for (const [folder, reason] of await installMissing(allPeers.map((peer) => peer.folder))) {
  process.exitCode = 1;
  process.stderr.write(`${folder}: ${reason}\n`);
}
