import { DeliveryLog } from '#apps/pipeline/webhooks/delivery-log';
import { AuditTrees } from '#transparency/audit-trees';
import { HeadSigner } from '#transparency/head-signer';
import { LockedKeeper } from '#transparency/keepers/locked-keeper';
import { WitnessKeeper } from '#transparency/keepers/witness-keeper';

import { ARMED, KILL_AT, type KillPoint } from './kill-points.js';

type Method = (this: object, ...given: unknown[]) => Promise<unknown>;

let isArmed = false;
process.once('SIGUSR2', () => {
  isArmed = true;
  process.stdout.write(`${ARMED}\n`);
});

/** Ends the process as a power cut would, once the test has armed it. */
function die(): void {
  if (isArmed) process.kill(process.pid, 'SIGKILL');
}

/** Replaces a method by one that gets the method that it replaces. */
function replace(owner: { readonly prototype: object }, name: string, by: (own: Method) => Method) {
  const prototype = owner.prototype as Record<string, Method>;
  const own = prototype[name];
  if (!own) throw new Error(`No method ${name}`);
  prototype[name] = by(own);
}

function before(owner: { readonly prototype: object }, name: string): void {
  replace(
    owner,
    name,
    (own) =>
      async function (this: object, ...given) {
        die();
        return own.apply(this, given);
      },
  );
}

function after(owner: { readonly prototype: object }, name: string): void {
  replace(
    owner,
    name,
    (own) =>
      async function (this: object, ...given) {
        const result = await own.apply(this, given);
        die();
        return result;
      },
  );
}

/** Dies while the log takes the append of a checkpoint: nobody learns whether it did. */
function whileAppending(): void {
  replace(
    HeadSigner,
    'sign',
    (own) =>
      async function (this: object, ...given) {
        const { dependencies } = this as { dependencies: { store: Record<string, Method> } };
        const { store } = dependencies;
        dependencies.store = {
          read: (...read) => store['read']?.(...read) as Promise<unknown>,
          append: (...append) => {
            const appended = store['append']?.(...append) as Promise<unknown>;
            setImmediate(die);
            return appended;
          },
        };
        return own.apply(this, given);
      },
  );
}

const POINTS: Readonly<Record<KillPoint, () => void>> = {
  'the tree is read': () => after(AuditTrees, 'newest'),
  'the log takes the checkpoint': whileAppending,
  'the checkpoint is appended': () => after(HeadSigner, 'sign'),
  'the witness has cosigned': () => after(WitnessKeeper, 'keep'),
  'the bucket has the copy': () => after(LockedKeeper, 'keep'),
  'an answer of a keeper is recorded': () => after(HeadSigner, 'record'),
  'the receiver has accepted': () => before(DeliveryLog, 'delivered'),
  'the delivery is recorded': () => after(DeliveryLog, 'delivered'),
};

const point = process.env[KILL_AT];
if (point) POINTS[point as KillPoint]();
await import('#apps/standalone/main');
