import { Module } from '@nestjs/common';

import { CommandIdentities } from './command-identities.js';
import { Projected } from './projected.js';
import { StreamCommands } from './stream-commands.js';
import { Unprojected } from './unprojected.js';

/** The way from a command to the log and to the read models that show it. */
@Module({
  providers: [StreamCommands, CommandIdentities, Projected, Unprojected],
  exports: [StreamCommands, CommandIdentities, Projected, Unprojected],
})
export class WriteModule {}
