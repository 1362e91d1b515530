#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# Keeps board.txt in the state directory: which alarms are open, and at which safe zone each resident is.
use strict;
use warnings;
use Digest::SHA qw(sha256_hex);
use Encode qw(encode_utf8);
use IO::Handle;
use JSON::PP;
use List::Util qw(max);
use Storable qw(dclone);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

use constant { BATCH_EVENTS => 256, BATCH_BYTES => 262_144, RETRY_SECONDS => 30, MINUTE => 60, HOUR => 3600 };
use constant SEEN_IDS => 2 * BATCH_EVENTS;    # of each lane: no more than its last two batches can come again

my $json    = JSON::PP->new->utf8->canonical->allow_nonref;
my %adopt   = ('alarms.list' => \&adopt_alarms, 'residents.list' => \&adopt_residents);
my %grant   = ('alarms.list' => 'read:alarms', 'residents.list' => 'read:position');
my %methods = (
    'initialize'     => \&initialize,
    'events.deliver' => \&deliver,
    'health'         => \&tell_health,
    'shutdown'       => sub { my ($id) = @_; reply($id, {}); exit 0 },
);
my %takers = (
    (map { ("alarm.$_" => \&take_alarm) } qw(raised dispatched acknowledged resolved cancelled)),
    'zone.entered'     => \&take_presence,
    'zone.left'        => \&take_presence,
    'zone.changed'     => \&ask_soon,
    'tracking.changed' => \&ask_soon,
    'consent.changed'  => \&take_consent,
    'resident.erased'  => \&erase_resident,
);
my ($title, $directory, $state, $trouble, %is_granted);
my ($ask_at, $asked_at, $question_count, %open_questions, @waiting_batches);

STDOUT->autoflush(1);
my $input = '';
while (1) {
    my $patience = defined $ask_at ? max(0, $ask_at - now()) : undef;
    vec(my $readable = '', fileno STDIN, 1) = 1;
    my $is_ready = select($readable, undef, undef, $patience) > 0;
    ask_gateway() if defined $ask_at && now() >= $ask_at;
    next unless $is_ready;
    sysread(STDIN, $input, 65_536, length $input) or last;
    while ((my $end = index $input, "\n") >= 0) { take_line(substr $input, 0, $end + 1, '') }
}

sub take_line {
    my ($line) = @_;
    my $message = eval { $json->decode($line) };
    return refuse(undef, -32700, 'This is no JSON.') if $@;
    return refuse(undef, -32600, 'This is no object.') unless ref $message eq 'HASH';
    my ($id, $method) = @{$message}{qw(id method)};
    return refuse($id, -32600, 'This is not JSON-RPC 2.0.') if ($message->{jsonrpc} // '') ne '2.0';
    return take_answer($message) if exists $message->{result} || exists $message->{error};
    return refuse($id, -32600, 'There is no method.') unless defined $method;
    return unless exists $message->{id};    # no notification concerns this plugin
    return refuse($id, -32601, 'This plugin knows no such method.') unless $methods{$method};
    $methods{$method}->($id, ref $message->{params} eq 'HASH' ? $message->{params} : {});
}

# --- What the host asks ---

sub initialize {
    my ($id, $params) = @_;
    my $mistake = mistake_in($params);
    return refuse($id, -32602, $mistake) if defined $mistake;
    $title      = $params->{settings}{title} // 'Notice board';
    $directory  = encode_utf8($params->{stateDirectory});
    %is_granted = map { $_ => 1 } @{ $params->{grants} // [] };
    $state      = load_state();
    my %credits = (events => BATCH_EVENTS, bytes => BATCH_BYTES);
    reply($id, { protocol => 1, name => 'noticeboard', version => '1.0.0', credits => \%credits });
    write_down($state);
    $ask_at = now();
}

sub mistake_in {
    my ($params) = @_;
    my $settings = $params->{settings} // {};
    return 'Only version 1 of the protocol is spoken here.' if ($params->{protocol} // 0) ne '1';
    return 'There is no state directory.'   unless length($params->{stateDirectory} // '');
    return 'The settings are no object.'    if ref $settings ne 'HASH';
    return 'There is no setting but title.' if grep { $_ ne 'title' } keys %$settings;
    # Perl itself does not tell 5 from "5"; what it writes as JSON does.
    my $text = exists $settings->{title} ? $settings->{title} : '-';
    return undef if $json->encode($text) =~ /\A"/ && $text =~ /\A[^[:cntrl:]\v]{1,100}\z/;
    return 'The setting title has to be one line of 1 through 100 characters.';
}

sub deliver {
    my ($id, $params) = @_;
    return refuse($id, -32600, 'Nothing is delivered before initialize.') unless $state;
    # What the gateway is about to answer may be older than these events, and must not undo them.
    return push @waiting_batches, [$id, $params] if %open_questions;
    my ($lane, $events) = @{$params}{qw(lane events)};
    my $is_batch = defined $lane && ref $events eq 'ARRAY' && !grep { ref ne 'HASH' || !defined $_->{id} } @$events;
    return refuse($id, -32602, 'This is no batch of events.') unless $is_batch;

    my $next    = dclone($state);    # so that a batch that cannot be written down leaves nothing behind
    my $seen    = $next->{seen}{$lane} //= [];
    my %is_seen = map { $_ => 1 } @$seen;
    for my $event (@$events) {
        next if $is_seen{ $event->{id} }++;
        push @$seen, $event->{id};
        my $taker = $takers{ $event->{type} // '' } or next;
        my ($resident) = ($event->{subject} // '') =~ m{\Aresident/(.+)}s;
        $taker->($next, $event, ref $event->{data} eq 'HASH' ? $event->{data} : {}, $resident);
    }
    splice @$seen, 0, max(0, @$seen - SEEN_IDS);
    my %outcome = (outcome => 'accepted');
    if (write_down($next)) { $state = $next }
    else                   { %outcome = (outcome => 'retry', afterSeconds => RETRY_SECONDS, reason => $trouble) }
    reply($id, { outcomes => @$events ? [{ from => 0, to => $#$events, %outcome }] : [] });
}

sub tell_health {
    my ($id) = @_;
    write_down($state) if defined $trouble;    # perhaps there is room again
    reply($id, health());
}

sub health {
    return { state => 'working' } unless defined $trouble;
    return { state => 'failed', code => 'unwritable', detail => "The notice board cannot be written: $trouble." };
}

# --- What the gateway says is so now ---

sub ask_gateway {
    $asked_at = now();
    $ask_at   = $asked_at + HOUR;    # none of its events tells of a new resident, or of another name
    for my $question (grep { $is_granted{ $grant{$_} } } sort keys %grant) {
        my $id = "$question-" . ++$question_count;
        $open_questions{$id} = $question;
        send_message({ id => $id, method => 'request', params => { method => $question, params => {} } });
    }
}

# For what events do not tell; at most once a minute, as the gateway wants to be asked seldom.
sub ask_soon {
    $ask_at = $asked_at + MINUTE if $ask_at > $asked_at + MINUTE;
}

sub take_answer {
    my ($answer) = @_;
    my $question = delete $open_questions{ $answer->{id} // '' } // return;
    my ($result, $error) = map { ref eq 'HASH' ? $_ : {} } @{$answer}{qw(result error)};
    if (ref $result->{result} eq 'ARRAY') {
        $adopt{$question}->($result->{result});
        write_down($state);
    }
    else {
        log_line('warning', "$question is not answered: " . ($error->{message} // 'there is no list'));
        ask_soon() if ($error->{code} // 0) == 1004;
    }
    return if %open_questions;
    deliver(@$_) for splice @waiting_batches;
}

sub adopt_alarms {
    my ($list) = @_;
    my $known = $state->{alarms};    # what only events tell stays
    $state->{alarms} = {
        map {
            my $is_taken = $_->{stage} eq 'acknowledged' ? 1 : 0;
            $_->{alarm} => { %{ $known->{ $_->{alarm} } // {} }, %$_, since => $_->{raisedAt}, isTaken => $is_taken }
        } @$list
    };
}

sub adopt_residents {
    my ($list) = @_;
    my $known = delete $state->{residents};
    for my $told (@$list) {
        my ($id, $tracking) = ($told->{id}, $told->{tracking} // {});    # without it nobody looks where they are
        my %zones = map { $_->{zone} => { %{ $known->{$id}{zones}{ $_->{zone} } // {} }, since => undef, %$_ } }
            @{ $tracking->{zones} // [] };
        $state->{residents}{$id} = { name => $told->{name}, zones => \%zones };
    }
    $state->{residents} //= {};
}

# --- What events tell ---

# What could not be stored yet may overtake older events of its lane; within one boot their ticks tell.
sub is_overtaken {
    my ($entry, $event) = @_;
    my ($boot, $tick) = ($event->{bootid} // '', $event->{tick} // 0);
    return 1 if defined $entry->{tick} && $entry->{boot} eq $boot && $entry->{tick} > $tick;
    @{$entry}{qw(boot tick)} = ($boot, $tick);
    return 0;
}

sub take_alarm {
    my ($board, $event, $facts, $resident) = @_;
    my ($id, $type) = ($facts->{alarm} // return, $event->{type});
    return delete $board->{alarms}{$id} if $type eq 'alarm.resolved' || $type eq 'alarm.cancelled';
    my $alarm = $board->{alarms}{$id} //= {};
    @{$alarm}{qw(since isSilent)} = (time_of($event), $facts->{isSilent} ? 1 : 0) if $type eq 'alarm.raised';
    return if is_overtaken($alarm, $event);
    @{$alarm}{qw(tag kind resident residentName)} = (@{$facts}{qw(tag kind)}, $resident, $facts->{residentName});
    $alarm->{isTaken} = $type eq 'alarm.acknowledged' || ($facts->{stage} // '') eq 'acknowledged' ? 1 : 0;
}

sub take_presence {
    my ($board, $event, $facts, $id) = @_;
    return unless defined $id && defined $facts->{zone};
    ask_soon() unless $board->{residents}{$id};    # what they are called
    my $resident = $board->{residents}{$id} //= { name => $id, zones => {} };
    my $zone     = $resident->{zones}{ $facts->{zone} } //= {};
    return if is_overtaken($zone, $event);
    $zone->{zone}     = $facts->{zone};
    $zone->{zoneName} = $facts->{zoneName} // $zone->{zoneName};
    @{$zone}{qw(presence since)} = ($event->{type} eq 'zone.entered' ? 'inside' : 'outside', time_of($event));
}

sub take_consent {
    my ($board, undef, $facts) = @_;
    my $id = $facts->{resident};
    return unless defined $id && ($facts->{kind} // '') eq 'location';
    if ($facts->{isGranted}) { delete $board->{refused}{$id} }
    else                     { $board->{refused}{$id} = 1 }
    $board->{residents}{$id}{zones} = {} if $board->{residents}{$id};
    ask_soon();
}

# Such an event holds no id, only what it hashes to.
sub erase_resident {
    my ($board, $event, $facts) = @_;
    my $is_erased = sub { sha256_hex(encode_utf8("$event->{id}:" . ($_[0] // ''))) eq ($facts->{erased} // '') };
    my $alarms    = $board->{alarms};
    delete @{$alarms}{ grep { $is_erased->($alarms->{$_}{resident}) } keys %$alarms };
    for my $people (@{$board}{qw(residents refused)}) { delete @{$people}{ grep { $is_erased->($_) } keys %$people } }
}

# --- The files ---

sub load_state {
    my %fresh = (seen => {}, alarms => {}, residents => {}, refused => {});
    open my $file, '<:raw', "$directory/state.json" or return \%fresh;
    my $kept = eval { local $/ = undef; $json->decode(readline $file) };
    log_line('warning', 'state.json cannot be read; the board begins anew') unless ref $kept eq 'HASH';
    return ref $kept eq 'HASH' ? { %fresh, %$kept } : \%fresh;
}

# The board first: what the state has seen is never told again.
sub write_down {
    my ($board) = @_;
    my $is_done = eval {
        replace_file('board.txt', encode_utf8(text_of($board)));
        replace_file('state.json', $json->encode($board));
    };
    my $before = $trouble // '';
    $trouble = $is_done ? undef : $@ =~ s/\s+\z//r;
    if ($before ne ($trouble // '')) {
        log_line($is_done ? ('info', 'the board is written again') : ('error', $trouble));
        send_message({ method => 'health', params => health() });
    }
    return $is_done;
}

sub replace_file {
    my ($name, $bytes) = @_;
    my ($path, $beside) = ("$directory/$name", "$directory/$name.new");
    open my $file, '>:raw', $beside or die "$name: $!\n";
    my $is_whole = print {$file} $bytes;
    $is_whole &&= $file->flush && $file->sync;
    $is_whole = close($file) && $is_whole;    # a full disk may show as late as here
    $is_whole &&= rename $beside, $path;
    return $is_whole || die "$name: $!\n";
}

sub text_of {
    my ($board) = @_;
    my $residents = $board->{residents};
    # A silent alarm must not be seen in the room, and nobody knows where this board hangs.
    my @shown  = grep { !$_->{isSilent} } values %{ $board->{alarms} };
    my @alarms = sort { ($a->{since} // '') cmp ($b->{since} // '') } @shown;
    my @lines = ($title, @alarms ? map { alarm_line($_, $residents) } @alarms : 'No open alarm is known.');
    for my $id (sort { $residents->{$a}{name} cmp $residents->{$b}{name} } keys %$residents) {
        my $where = $board->{refused}{$id} ? 'place not shown' : place_of($residents->{$id});
        push @lines, "$residents->{$id}{name}: $where.";
    }
    return join '', map { s/[[:cntrl:]\v]+/ /gr . "\n" } @lines;
}

sub alarm_line {
    my ($alarm, $residents) = @_;
    my ($tag, $kind, $id) = ($alarm->{tag} // '?', $alarm->{kind} // 'unknown', $alarm->{resident} // '');
    my $resident = $residents->{$id} // { name => length $id ? $id : 'the gateway' };
    my $name     = $alarm->{residentName} // $resident->{name};
    my $how_far  = $alarm->{isTaken} ? 'taken charge of' : 'nobody has taken charge yet';
    return "Alarm $tag ($kind) about $name, open" . since($alarm) . ": $how_far.";
}

sub place_of {
    my ($resident) = @_;
    my @zones = sort { ($b->{since} // '') cmp ($a->{since} // '') } values %{ $resident->{zones} };
    my %words = (inside => 'at %s', outside => 'left %s, away', uncertain => 'perhaps at %s');
    for my $presence (qw(inside uncertain outside)) {
        my ($zone) = grep { $_->{presence} eq $presence } @zones;    # the newest
        return sprintf($words{$presence}, $zone->{zoneName} // $zone->{zone}) . since($zone) if $zone;
    }
    return 'at no known safe zone';
}

sub since {
    my ($entry) = @_;
    return ($entry->{since} // '') =~ /\A(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z\z/ ? " since $1 $2 UTC" : '';
}

# A clock that nobody vouches for tells no time that a reader could use.
sub time_of {
    my ($event) = @_;
    return ($event->{timequality} // '') eq 'untrusted' ? undef : $event->{time};
}

# --- Lines ---

sub now          { return clock_gettime(CLOCK_MONOTONIC) }
sub log_line     { my ($level, $text)  = @_; print STDERR encode_utf8("$level: $text\n") }
sub send_message { my ($message)       = @_; print $json->encode({ jsonrpc => '2.0', %$message }), "\n" }
sub reply        { my ($id, $result)   = @_; send_message({ id => $id, result => $result }) }

sub refuse {
    my ($id, $code, $message) = @_;
    send_message({ id => $id, error => { code => $code, message => $message } });
}
