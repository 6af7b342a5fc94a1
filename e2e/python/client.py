"""A foreign client of kas' API listener: descriptors compiled by protoc, transport by grpcio, JWT by PyJWT.

usage: client.py API_ADDRESS SECRET_FILE PROTO_DIRECTORY PROJECT_ID AGENT_ID
Prints one JSON object with what every method answered.
"""

import base64
import importlib
import importlib.resources
import json
import sys
import tempfile
import time

import grpc
import jwt
from google.protobuf.json_format import MessageToDict
from grpc_tools import protoc

address, secret_file, proto_directory, project_id, agent_id = sys.argv[1:6]
CONTRACTS = [
    "kas/v1/kas.proto",
    "kas/v1/views.proto",
    "dashboard/v1/dashboard.proto",
    "gitlab/agent/kubernetes_api/rpc/rpc.proto",
    "gitlab/agent/grpctool/grpctool.proto",
    "gitlab/agent/grpctool/automata/automata.proto",
    "gitlab/agent/prototool/prototool.proto",
    "google/rpc/status.proto",
    "gitlab/agent/modshared/modshared.proto",
    "gitlab/agent/agent_tracker/agent_tracker.proto",
    "gitlab/agent/agent_tracker/rpc/rpc.proto",
]


def compile_contracts(target):
    include = importlib.resources.files("grpc_tools") / "_proto"
    arguments = ["protoc", f"-I{proto_directory}", f"-I{include}", f"--python_out={target}", f"--grpc_python_out={target}", *CONTRACTS]
    if protoc.main(arguments) != 0:
        raise SystemExit("the contracts do not compile")
    sys.path.insert(0, target)


def token(**changes):
    with open(secret_file, encoding="ascii") as file:
        secret = base64.b64decode(file.read())
    now = int(time.time())
    claims = {"iss": "gitlab", "aud": "gitlab-kas", "iat": now, "nbf": now - 5, "exp": now + 60, **changes}
    return jwt.encode({key: value for key, value in claims.items() if value is not None}, secret, algorithm="HS256")


def call(method, request, credential):
    metadata = [] if credential is None else [("authorization", f"bearer {credential}")]
    try:
        return {"code": "OK", "answer": MessageToDict(method(request, metadata=metadata, timeout=40), preserving_proto_field_name=True)}
    except grpc.RpcError as error:
        return {"code": error.code().name, "message": error.details()}


def main():
    with tempfile.TemporaryDirectory() as target, grpc.insecure_channel(address) as channel:

        compile_contracts(target)
        kas = importlib.import_module("kas.v1.kas_pb2")
        kas_grpc = importlib.import_module("kas.v1.kas_pb2_grpc")
        tracker = importlib.import_module("gitlab.agent.agent_tracker.rpc.rpc_pb2")
        tracker_grpc = importlib.import_module("gitlab.agent.agent_tracker.rpc.rpc_pb2_grpc")
        views = importlib.import_module("kas.v1.views_pb2")
        seen = importlib.import_module("kas.v1.views_pb2_grpc").ViewsStub(channel)
        api = kas_grpc.KasApiStub(channel)
        agents = tracker_grpc.AgentTrackerStub(channel)
        query = views.ViewQuery(agent_id=int(agent_id))
        production = views.ViewScope(namespaces=["production"])
        by_id = kas.ConnectedAgentsByIdRequest(agent_id=int(agent_id))
        print(
            json.dumps(
                {
                    "by_project": call(api.ConnectedAgentsForProject, kas.ConnectedAgentsForProjectRequest(project_id=int(project_id)), token()),
                    "by_id": call(api.ConnectedAgentsById, by_id, token()),
                    "pods": call(api.GetPods, kas.GetPodsRequest(agent_id=int(agent_id)), token()),
                    "tracker_by_agent": call(agents.GetConnectedAgents, tracker.GetConnectedAgentsRequest(agent_id=int(agent_id)), token()),
                    "tracker_by_project": call(agents.GetConnectedAgents, tracker.GetConnectedAgentsRequest(project_id=int(project_id)), token()),
                    "nodes": call(seen.GetNodes, views.GetNodesRequest(query=query), token()),
                    "summary": call(seen.GetSummary, views.GetSummaryRequest(query=query, scope=production), token()),
                    "no_token": call(api.ConnectedAgentsById, by_id, None),
                    "expired": call(api.ConnectedAgentsById, by_id, token(exp=int(time.time()) - 60)),
                    "wrong_audience": call(api.ConnectedAgentsById, by_id, token(aud="gitlab")),
                    "without_expiry": call(api.ConnectedAgentsById, by_id, token(exp=None)),
                }
            )
        )


main()
