import { Module } from '@nestjs/common';

import { Projected } from './projected.js';
import { StreamCommands } from './stream-commands.js';

/** The way from a command to the log and to the read models that show it. */
@Module({ providers: [StreamCommands, Projected], exports: [StreamCommands, Projected] })
export class WriteModule {}
