# A Rails application's ActionCable server and nothing else of it: it knows kas only through Redis.
require "logger"
require "active_support"
require "active_support/core_ext"
require "action_cable"

class TestConnection < ActionCable::Connection::Base; end

class AgentChannel < ActionCable::Channel::Base
  def subscribed
    stream_from "kas:agents:#{params[:agent_id]}"
  end
end

config = ActionCable.server.config
config.logger = Logger.new(File::NULL)
config.cable = { adapter: "redis", url: ENV.fetch("REDIS_URL"), channel_prefix: "test_app" }.with_indifferent_access
config.connection_class = -> { TestConnection }
config.disable_request_forgery_protection = true

run ActionCable.server
