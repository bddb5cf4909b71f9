import { RoverLease } from '#apps/pipeline/rover/rover-lease';

import { ROVER_KILL_AT, roverKillPoint } from './rover-kill-points.js';

const { kind, moment } = roverKillPoint(process.env[ROVER_KILL_AT]);
let running: string | undefined;

/** Ends the process as a power cut would. It never returns, so nothing runs after it. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

// The method is called with its owner as `this`, below.
// eslint-disable-next-line @typescript-eslint/unbound-method
const write = RoverLease.prototype.write;
RoverLease.prototype.write = async function (...commands) {
  for (const command of commands)
    if (command.type === 'StartRoverStep') running = command.data.kind;
  const types = running === kind ? commands.map(({ type }) => type) : [];
  const ends = types.some((type) => type === 'CompleteRoverStep' || type === 'CompleteRoverJob');
  if (moment === 'ending' && ends) await die();
  await write.call(this, ...commands);
  if (moment === 'started' && types.includes('StartRoverStep')) await die();
  if (moment === 'ended' && ends) await die();
};

await import('#apps/standalone/main');
