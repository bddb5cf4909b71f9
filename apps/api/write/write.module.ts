import { Module } from '@nestjs/common';

import { CommandIdentities } from './command-identities.js';
import { Projected } from './projected.js';
import { StreamCommands } from './stream-commands.js';

/** The way from a command to the log and to the read models that show it. */
@Module({
  providers: [StreamCommands, CommandIdentities, Projected],
  exports: [StreamCommands, CommandIdentities, Projected],
})
export class WriteModule {}
